import { en } from '#contract/language.ts'

/** Of a name or username that could be taken for the operator's; the server's own sentence is Spanish, for the page of signing up. */
export const reservedNameMessage = en(
  'This name looks like the Juntas team’s. Choose another.',
  'Este nombre parece del equipo de Juntas. Elige otro.',
)
