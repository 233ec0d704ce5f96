import * as z from 'zod/mini'
import { passwordSchema } from '#contract/field-schemas.ts'
import { es } from '#contract/language.ts'

export const newPasswordSchema = z.object({ password: passwordSchema, passwordAgain: z.string() }).check(
  z.refine(({ password, passwordAgain }) => password === passwordAgain, {
    path: ['passwordAgain'],
    error: es('Las contraseñas no coinciden.', 'The passwords do not match.'),
  }),
)
