import { es } from '#contract/language.ts'

/** The question for applicants until an operator writes another question. */
export const defaultApplicationQuestion = es(
  '¿Cómo nos conociste y por qué quieres unirte?',
  'How did you hear about us, and why would you like to join?',
)
