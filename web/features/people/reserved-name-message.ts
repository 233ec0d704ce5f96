import { en } from '#contract/language.ts'

/** For names that imitate the operator; the server's own message is Spanish, for sign-up. */
export const reservedNameMessage = en(
  'This name looks like the Juntas team’s. Choose another.',
  'Este nombre parece del equipo de Juntas. Elige otro.',
)
