/** Questions that are being sent by this page, by the place of their drafts. What waits for somebody else's sign-in never ends. */
export const underWay = new Map<string, Promise<unknown>>();
