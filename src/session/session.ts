import { type Disposable, toDisposable } from '../base/disposable';
import { Emitter } from '../base/emitter';
import type { ExecProcess, ExitStatus, ProcessEvent, TerminalSize, TerminateResult } from '../process/execProcess';
import { Control, type Holder, isHiddenInput, type SessionWriteResult, type Writer } from './control';
import { RawOutput, type RawPart, type Recording } from './log/rawOutput';
import { type InputWait, InputWatch, notWaiting, type WaitingFor } from './terminal/inputWatch';
import { Lookout } from './terminal/lookout';
import type { SessionInfo } from './sessionInfo';
import { type EndRequester, endReasonOf, isHasty, type SessionState } from './sessionState';
import { type SleepOptions, Sleepers } from './sleepers';
import { SessionText } from './text/sessionText';
import type { PatternWatch } from './text/patternWatch';
import { renderScreen, type Screen } from './terminal/screen';
import type { Spool } from './log/spool';
import { answerQuery } from './terminal/terminalQueries';
import { DEFAULT_TERMINAL_SIZE } from './terminal/terminalSize';
import { UserTyping } from './userTyping';
import type { ReadableText, TextReader } from './text/textReader';

export { TERMINATE_GRACE_MS } from '../process/execProcess';
export type { SessionInfo } from './sessionInfo';

/** Short enough that nobody notices, long enough that looking costs nothing. */
const PATTERN_LOOK_MS = 10;

/** A program that answers with a flood is not looked at for every chunk of it. */
const MAX_WAKES = 16;

/** `givenBack`: the user, who had taken over, gave the session back. */
export type WaitEnd = 'ended' | 'matched' | 'input' | 'givenBack' | 'deadline';

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  /** Stamp of an {@link InputWait}. */
  readonly knownWait?: string | undefined;
  /** Output that ends the wait. A program that listens to its terminal among other things may still print it. */
  readonly pattern?: PatternWatch | undefined;
  /** The caller knows that the user has taken over, and waits until that is over; default: whether it is so at the beginning. */
  readonly wasHeld?: boolean;
}

/** One command that we started and still account for: its process, all it printed, and who may wait for what. */
export class Session implements Disposable {
  private currentState: SessionState = { kind: 'running' };
  private readonly text: SessionText;
  private readonly raw: RawOutput;
  private readonly changed = new Emitter<void>();
  private readonly output = new Emitter<Buffer>();
  private readonly subscription: Disposable;
  private readonly inputWatch: InputWatch;
  private endRequester: EndRequester | undefined;
  private readonly userTyping: UserTyping;
  /** Writes that the program's terminal has not taken yet. */
  private pendingWrites = 0;
  private size: TerminalSize;
  private emulators = 0;
  /** Whether nobody holds its output any more. */
  private isOutputClosed = false;
  private readonly sleepers = new Sleepers();
  private readonly lookout: Lookout;
  private readonly control: Control;
  private lastWait = notWaiting('none');

  /** The state, what it waits for, or who holds it is another than before. */
  readonly onDidChange = this.changed.event;
  /** Raw bytes as the program wrote them. Valid only during the call. */
  readonly onDidOutput = this.output.event;

  /** Owns the process and the spool. */
  constructor(
    readonly info: SessionInfo,
    private readonly process: ExecProcess,
    private readonly spool?: Spool,
  ) {
    this.control = new Control(info);
    this.size = info.size ?? DEFAULT_TERMINAL_SIZE;
    this.raw = new RawOutput(this.size);
    this.text = new SessionText({
      spool,
      columns: () => (info.isTerminal ? this.size.cols : Infinity),
      onQuery: (sequence) => {
        this.inputWatch.noteQuery();
        if (info.isTerminal && this.emulators === 0) void this.answerQuery(sequence);
      },
    });
    this.userTyping = new UserTyping(this.text);
    this.inputWatch = new InputWatch(() => process.inputDemand());
    this.lookout = new Lookout(() => this.inputWait());
    this.subscription = process.onEvent((event) => {
      this.handle(event);
    });
  }

  get state(): SessionState {
    return this.currentState;
  }

  /** What the program was last seen to wait for; a look that nobody asked for comes late when it is long quiet. */
  get waitingFor(): WaitingFor {
    return this.lastWait.waitingFor;
  }

  /** Whether it was last seen to take lines among other things, like a server, rather than to ask for some. */
  get isListening(): boolean {
    return this.lastWait.isListening;
  }

  /** Who may type. */
  get holder(): Holder {
    return this.control.holder;
  }

  /** From now on only the user types: what agents type is refused. Does nothing after the end. */
  takeOver(): void {
    if (this.currentState.kind === 'running') this.setHolder('user');
  }

  /** Agents may type again. */
  giveBack(): void {
    this.setHolder('shared');
  }

  /** Whether its program goes on when this window or server goes away, and can be had back. */
  get outlivesUs(): boolean {
    return this.process.outlivesUs;
  }

  get pid(): number {
    return this.process.pid;
  }

  /** What its output takes in memory now, as far as it counts. */
  get memoryBytes(): number {
    return this.text.log.memoryBytes + this.raw.memoryBytes;
  }

  /** What of its output lies on disk now. */
  get spooledBytes(): number {
    return this.spool?.usedBytes ?? 0;
  }

  /** The size of its terminal now; `undefined` without one. */
  get terminalSize(): TerminalSize | undefined {
    return this.info.isTerminal ? this.size : undefined;
  }

  /** What the user has typed into it. */
  get typedByUser(): Pick<UserTyping, 'mark' | 'since'> {
    return this.userTyping;
  }

  /** Whether the user sits in front of it, and sees what it asks. */
  get isUserPresent(): boolean {
    return this.control.isUserPresent;
  }

  /** All that is kept of the clean text. */
  get transcript(): ReadableText {
    return this.text;
  }

  /** A reader of the clean text that has seen nothing yet; the caller disposes it. */
  createReader(): TextReader {
    return this.text.createReader();
  }

  /** The line that the program is writing, else the last one that it wrote; a long one only in part. */
  lastLine(): string {
    return this.text.lastLine();
  }

  /** The end of the clean text, at most `maxBytes` of it. */
  recentText(maxBytes: number): string {
    return this.text.recentText(maxBytes);
  }

  /** Raw output for a terminal that is attached now, from the beginning of a line on. */
  replay(): Buffer {
    return this.raw.replay();
  }

  /** The raw output from byte `start` on, as far as it is kept. */
  readRaw(start: number, byteCount: number): RawPart {
    return this.raw.read(start, byteCount);
  }

  /** What is kept of the raw output with the time of each piece. */
  recording(): Recording {
    return this.raw.recording();
  }

  /**
   * Sends bytes to the program as they are, after all that was sent before. An agent is refused while the user holds the session
   * and, where a person can type, while the program waits for hidden input; but for keys that only lead out of it.
   */
  async write(bytes: Buffer, writer: Writer): Promise<SessionWriteResult> {
    // An input without a terminal is a conversation between programs: a key of a person would garble it.
    if (!this.info.isTerminal && writer !== 'agent') return { kind: 'refused', reason: 'noInput' };
    const demand = this.process.inputDemand();
    const refusal = writer === 'agent' ? this.control.findRefusal(bytes, demand) : undefined;
    if (refusal !== undefined) return { kind: 'refused', reason: refusal };
    if (writer === 'terminal') this.inputWatch.noteAnswer();
    else this.control.noteTyped(writer);
    if (writer === 'user') this.userTyping.note(bytes, isHiddenInput(bytes, demand));
    const wakes = this.inputWatch.noteWrite(bytes, demand);
    this.pendingWrites++;
    try {
      return await this.process.write(bytes);
    } finally {
      this.pendingWrites--;
      if (wakes) this.inputWatch.noteArrival();
      this.lookout.noteActivity();
    }
  }

  /** Why `write` would refuse bytes of an agent now; `undefined` where it would not. */
  findRefusal(bytes: Buffer): 'userHolds' | 'hiddenInput' | undefined {
    return this.control.findRefusal(bytes, this.process.inputDemand());
  }

  resize(size: TerminalSize): void {
    this.size = size;
    this.raw.noteResize(size);
    this.process.resize(size);
  }

  /** While one is attached, a terminal emulator answers the questions of the program; else the session does. */
  attachEmulator(): Disposable {
    this.emulators++;
    return toDisposable(() => {
      this.emulators--;
    });
  }

  /** Whether a full-screen program has the terminal: its picture says more than its output. */
  get isFullScreen(): boolean {
    return this.currentState.kind === 'running' && this.text.isFullScreen;
  }

  /** What a terminal of its size shows now. */
  screen(): Promise<Screen> {
    return renderScreen({ output: this.replay(), size: this.size });
  }

  /** What the program waits for right now; `none` after its end. */
  inputWait(): InputWait {
    const wait = this.lookForWait();
    const last = this.lastWait;
    this.lastWait = wait;
    if (wait.waitingFor !== last.waitingFor || wait.isListening !== last.isListening) this.changed.fire();
    return wait;
  }

  /**
   * Resolves when the program has ended and all its output is read, when `pattern` was printed, when it waits for input, or after
   * `timeoutMs`. A wait for input with the stamp `knownWait` does not count: the caller knows of it and waits for somebody to
   * type. While the user holds the session, no wait for input counts, and giving it back resolves. Rejects with the reason of
   * `signal` when that is aborted; the session goes on.
   */
  async wait(timeoutMs: number, options: WaitOptions = {}): Promise<WaitEnd> {
    const { signal, knownWait, pattern } = options;
    let { wasHeld = false } = options;
    const deadlineMs = performance.now() + timeoutMs;
    for (let looks = 0; ; looks++) {
      if (pattern?.hasMatched() === true) return 'matched';
      const isHeld = this.holder === 'user';
      if (wasHeld && !isHeld) return 'givenBack';
      wasHeld = isHeld;
      const leftMs = Math.max(0, deadlineMs - performance.now());
      const lookMs = Math.min(this.inputWatch.nextLookMs(), pattern === undefined ? Infinity : PATTERN_LOOK_MS);
      const wakesOnOutput = this.inputWatch.isAnswering && looks < MAX_WAKES;
      const end = await this.pause(Math.min(leftMs, lookMs), { signal, wakesOnOutput });
      if (end === 'ended') return 'ended';
      if (performance.now() >= deadlineMs) return pattern?.hasMatched() === true ? 'matched' : 'deadline';
      if (!this.inputWatch.isWorthALook()) continue;
      const { stamp, isBlocked } = this.inputWait();
      const counts = stamp !== undefined && stamp !== knownWait && (isBlocked || pattern === undefined);
      if (counts && !isHeld) return pattern?.hasMatched() === true ? 'matched' : 'input';
    }
  }

  /**
   * Resolves when the program has ended and all its output is read, or after `timeoutMs`.
   * Rejects with the reason of `signal` when that is aborted; the session goes on.
   */
  async waitForEnd(timeoutMs: number, signal?: AbortSignal): Promise<'ended' | 'deadline'> {
    return (await this.pause(timeoutMs, { signal })) === 'ended' ? 'ended' : 'deadline';
  }

  /** Says how the session stands after that. */
  private async pause(ms: number, options: SleepOptions): Promise<'ended' | 'over'> {
    options.signal?.throwIfAborted();
    if (!this.hasEnded()) await this.sleepers.sleep(ms, options);
    options.signal?.throwIfAborted();
    return this.hasEnded() ? 'ended' : 'over';
  }

  private hasEnded(): boolean {
    return this.currentState.kind === 'ended';
  }

  /** Ends the program and what it started. Resolves when they are gone, with what it took. On an ended session, ends what it left behind. */
  async terminate(requester: EndRequester): Promise<TerminateResult> {
    // What has let go of a session that is over, such as a daemon, is not ours to end unasked.
    if (requester === 'shutdown' && this.isOutputClosed) return 'ended';
    const isRunning = this.currentState.kind === 'running';
    if (isRunning) this.endRequester ??= requester;
    // Who closes the tab or the window does not wait for the program.
    if (isRunning && isHasty(requester)) this.end(undefined, false);
    return this.process.terminate();
  }

  dispose(): void {
    this.subscription.dispose();
    this.lookout.dispose();
    this.process.dispose();
    this.spool?.dispose();
    this.changed.dispose();
    this.output.dispose();
  }

  private lookForWait(): InputWait {
    // Who reads between two pieces of what was typed waits for the next piece, not for somebody.
    if (this.currentState.kind === 'ended' || this.pendingWrites > 0) return notWaiting('none');
    this.lookout.noteLook();
    return this.inputWatch.look(this.text.isFullScreen);
  }

  private setHolder(holder: Holder): void {
    if (holder === this.control.holder) return;
    this.control.holder = holder;
    this.changed.fire();
  }

  private async answerQuery(sequence: string): Promise<void> {
    const answer = await answerQuery(sequence, { output: this.replay(), size: this.size });
    if (answer !== '') await this.write(Buffer.from(answer), 'terminal');
  }

  private handle(event: ProcessEvent): void {
    switch (event.type) {
      case 'output':
        this.takeOutput(event.chunk);
        break;
      case 'gap':
        this.takeOutput(Buffer.from(`\r\n[${event.bytes} bytes of output were lost with the connection]\r\n`));
        break;
      case 'exited':
        this.end(event.status, event.isOutputHeld);
        break;
      case 'closed':
        this.isOutputClosed = true;
        this.text.end();
        break;
    }
  }

  private takeOutput(chunk: Buffer): void {
    this.inputWatch.noteOutput();
    this.lookout.noteActivity();
    // First what a terminal has seen: a question in the chunk is about that.
    this.raw.append(chunk);
    this.text.push(chunk);
    this.output.fire(chunk);
    this.sleepers.wakeOnOutput();
  }

  private end(status: ExitStatus | undefined, isOutputHeld: boolean): void {
    const previous = this.currentState;
    if (previous.kind === 'ended') {
      this.setState({ ...previous, status, isOutputHeld });
      return;
    }
    const reason = endReasonOf(this.endRequester, status ?? { kind: 'code', code: 0 });
    this.lookout.dispose();
    this.lastWait = notWaiting('none');
    this.control.holder = 'shared';
    this.setState({ kind: 'ended', reason, status, isOutputHeld, endedAt: Date.now() });
    this.sleepers.wakeAll();
  }

  private setState(state: SessionState): void {
    this.currentState = state;
    this.changed.fire();
  }
}
