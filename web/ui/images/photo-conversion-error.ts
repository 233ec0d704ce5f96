import { en } from '#contract/language.ts'

/** Thrown if a photo cannot be converted on the device. The message is shown to the member. */
export class PhotoConversionError extends Error {}

export const damagedPhotoMessage = en(
  'This photo can’t be read. It may be damaged.',
  'No se puede leer esta foto. Puede estar dañada.',
)
