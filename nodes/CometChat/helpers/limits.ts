/** Maximum items per list request. */
export const MAX_PER_PAGE = 1_000;

/** Maximum size of a file in megabytes, unless the user chose another size. */
export const DEFAULT_MAX_FILE_SIZE_MB = 50;
