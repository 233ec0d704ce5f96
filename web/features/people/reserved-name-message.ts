import { en } from '#contract/language.ts'

/** The server's message for names that imitate the operator is Spanish, because sign-up uses it. */
export const reservedNameMessage = en(
  'This name looks like the Juntas team’s. Choose another.',
  'Este nombre parece del equipo de Juntas. Elige otro.',
)
