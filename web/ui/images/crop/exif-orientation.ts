import type { Size, Turn } from './crop-frame.ts'

export const orientationOfTurn: Record<Turn, number> = { 0: 1, 90: 6, 180: 3, 270: 8 }

type Matrix = [a: number, b: number, c: number, d: number, e: number, f: number]

export function orientationMatrixOf(orientation: number, { width, height }: Size): Matrix {
  switch (orientation) {
    case 2:
      return [-1, 0, 0, 1, width, 0]
    case 3:
      return [-1, 0, 0, -1, width, height]
    case 4:
      return [1, 0, 0, -1, 0, height]
    case 5:
      return [0, 1, 1, 0, 0, 0]
    case 6:
      return [0, 1, -1, 0, height, 0]
    case 7:
      return [0, -1, -1, 0, height, width]
    case 8:
      return [0, -1, 1, 0, 0, width]
    default:
      return [1, 0, 0, 1, 0, 0]
  }
}
