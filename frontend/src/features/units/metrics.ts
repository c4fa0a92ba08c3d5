/** Sizes of the matrix in pixels; fixed, so that what is out of view need not be drawn to be known. */
export const NAME_PIXELS = 168;
export const COLUMN_PIXELS = 168;
export const ROW_PIXELS = 40;
export const HEAD_PIXELS = 60;
export const NUMBERS_PIXELS = 62;
