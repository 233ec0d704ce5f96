/** The quality of JPEGs that the device encodes. */
export const jpegQuality = 0.92
