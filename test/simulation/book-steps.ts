/** What the people do who keep the books: they upload reports, take payments over, and work differences off. */
export const BOOK_STEPS = [
  'upload',
  'upload-twice',
  'adopt',
  'adopt-twice',
  'explain',
  'write-off',
  'reopen',
  'approve',
  'approve-own',
  'approve-twice',
  'decline',
] as const;
export type BookStepKind = (typeof BOOK_STEPS)[number];

export interface BookStep {
  id: string;
  at: number;
  kind: BookStepKind;
}
