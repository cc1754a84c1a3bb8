/** Thrown for a group, user or message that the store does not have. */
export class NotFound extends Error {}
