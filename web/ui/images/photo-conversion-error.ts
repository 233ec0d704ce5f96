import { en } from '#contract/language.ts'

export class PhotoConversionError extends Error {}

export const damagedPhotoMessage = en(
  'This photo can’t be read. It may be damaged.',
  'No se puede leer esta foto. Puede estar dañada.',
)
