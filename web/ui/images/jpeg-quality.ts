/** For JPEGs made on the device. */
export const jpegQuality = 0.92
