/** Of a JPEG that is made on the device. */
export const jpegQuality = 0.92
