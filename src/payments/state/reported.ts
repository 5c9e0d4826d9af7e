/** Stands among the claims of a settlement report, whose reader waits for the answer. It claims nothing itself. */
export const REPORTED = 'reported';
