/** Questions that this page is sending, by the place of their drafts. Some never settle: their user does not sign in again. */
export const underWay = new Map<string, Promise<unknown>>();
