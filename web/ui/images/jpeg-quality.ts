/** For JPEGs encoded on the device. */
export const jpegQuality = 0.92
