/** Whether sessions are those of the VS Code window that has the folder open. */
export const ATTACH_MODES = ['never', 'auto', 'require'] as const;
export type AttachMode = (typeof ATTACH_MODES)[number];

/** There is no window to attach to, and without one the client wants no sessions. */
export const NO_WINDOW_EXIT_CODE = 3;
