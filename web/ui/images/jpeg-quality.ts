export const jpegQuality = 0.92
