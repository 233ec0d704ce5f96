import { es } from '#contract/language.ts'

/** Used until an operator writes another question. */
export const defaultApplicationQuestion = es(
  '¿Cómo nos conociste y por qué quieres unirte?',
  'How did you hear about us, and why would you like to join?',
)
