import { expect, test } from 'vitest'
import { computePixelFocalPercent } from './detect-focal-point.ts'

const image = (isSubject: (row: number) => boolean) =>
  Array.from({ length: 40 }, (_, row) =>
    Array.from({ length: 4 }, (_, column) =>
      isSubject(row) && (column === 1 || column === 2) ? [180, 20, 60, 255] : [230, 225, 220, 255],
    ),
  ).flat(2)

test('GPAGE-18 a crop keeps the rows that contain the subject', () => {
  expect(
    computePixelFocalPercent(
      image((row) => row < 8),
      4,
      8,
    ),
  ).toBe(0)
  expect(
    computePixelFocalPercent(
      image((row) => row >= 32),
      4,
      8,
    ),
  ).toBe(100)
  expect(
    computePixelFocalPercent(
      image((row) => row >= 8 && row < 16),
      4,
      8,
    ),
  ).toBe(25)
})

test('GPAGE-18 a plain image, or an image that fits, is cropped to its middle', () => {
  expect(
    computePixelFocalPercent(
      image(() => false),
      4,
      8,
    ),
  ).toBe(50)
  expect(
    computePixelFocalPercent(
      image((row) => row < 8),
      4,
      40,
    ),
  ).toBe(50)
})

test('GPAGE-18 a sky with a colour gradient is not the subject, but the detail below it is', () => {
  const landscape = Array.from({ length: 40 }, (_, row) =>
    Array.from({ length: 4 }, (_, column) =>
      row < 28
        ? [120 + row * 4, 140 + row * 2, 200, 255]
        : column % 2
          ? [225, 215, 220, 255]
          : [205, 195, 215, 255],
    ),
  ).flat(2)
  expect(computePixelFocalPercent(landscape, 4, 12)).toBe(100)
})
