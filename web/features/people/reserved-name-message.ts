import { en } from '#contract/language.ts'

/** The message for names that imitate the operator. The server's own message is in Spanish, because sign-up uses it. */
export const reservedNameMessage = en(
  'This name looks like the Juntas team’s. Choose another.',
  'Este nombre parece del equipo de Juntas. Elige otro.',
)
