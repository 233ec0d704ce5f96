import { en } from '#contract/language.ts'

/** A photo that cannot be converted on the device; the message is for the member. */
export class PhotoRefusedError extends Error {}

export const damagedPhotoMessage = en(
  'This photo can’t be read. It may be damaged.',
  'No se puede leer esta foto. Puede estar dañada.',
)
