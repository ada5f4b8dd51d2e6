/** A gap in a table: not measured, or not measurable here. */
const GAP = '–';

function cell([, read, digits], row) {
  const value = read(row);
  if (value === undefined || Number.isNaN(value)) return GAP;
  return typeof value === 'number' && digits !== undefined ? value.toFixed(digits) : String(value);
}

const line = (cells) => `| ${cells.join(' | ')} |`;

/** The table of one benchmark. A row that failed keeps what it measured before and ends with the reason. */
export function markdownTable({ title, columns }, rows) {
  const hasFailures = rows.some((row) => row.failure !== undefined);
  const titles = ['who', 'how', ...columns.map(([name]) => name), ...(hasFailures ? ['note'] : [])];
  const alignment = titles.map((_, index) => (index < 2 || index >= columns.length + 2 ? '---' : '---:'));
  const body = rows.map((row) => {
    const values = columns.map((column) => cell(column, row));
    return line([row.name, row.how ?? GAP, ...values, ...(hasFailures ? [escaped(row.failure ?? '')] : [])]);
  });
  return [`### ${title}`, '', line(titles), line(alignment), ...body, ''].join('\n');
}

const escaped = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** What goes into the JSON file: all figures and samples, without the live contestant. */
export function toRecord({ name, title }, rows, { rounds, loadBefore, loadAfter }) {
  const figures = rows.map(({ contestant: _contestant, ...row }) => row);
  return { name, title, rounds, loadBefore, loadAfter, rows: figures };
}
