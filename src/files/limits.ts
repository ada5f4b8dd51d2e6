/** How much one block of an open file holds at most: what Codex's own server takes, as observed. */
export const MAX_BLOCK_BYTES = 1_024 * 1_024;
/**
 * A file that is read or written as a whole: with base64 and what surrounds it, the longest message that clients of the protocol
 * take (64 MiB). What is larger goes in blocks.
 */
export const MAX_WHOLE_FILE_BYTES = 47 * 1_024 * 1_024;
/** Files that one client may have open at once, as with Codex's own server. */
export const MAX_OPEN_FILES = 128;
/** Blocks that are on their way at once while a file is read or written as a stream: enough for 100 MB/s at 40 ms. */
export const BLOCKS_ON_THE_WAY = 4;
/** Links that may lead to each other before the last is taken to be one of a circle; the kernel has the same number. */
export const MAX_LINKS = 40;
/** Entries that one answer lists: more would be more values than a message of the protocol may hold (262144, four an entry). */
export const MAX_LISTED_ENTRIES = 50_000;
