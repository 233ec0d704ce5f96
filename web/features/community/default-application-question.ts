import { es } from '#contract/language.ts'

/** Applies until an operator writes another. */
export const defaultApplicationQuestion = es(
  '¿Cómo nos conociste y por qué quieres unirte?',
  'How did you hear about us, and why would you like to join?',
)
