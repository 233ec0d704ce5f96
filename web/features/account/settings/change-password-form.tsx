import * as z from 'zod/mini'
import { passwordSchema } from '#contract/field-schemas.ts'
import { en } from '#contract/language.ts'
import { minTextLength } from '#contract/text-length.ts'
import { ApiError } from '#web/api/client.ts'
import { LabelledFormField, PasswordInput } from '#web/forms/labelled-form-field.tsx'
import { useLightweightForm } from '#web/forms/use-lightweight-form.ts'
import { Button } from '#web/ui/button.tsx'
import { useChangePassword } from './account-security-mutations.ts'
import { FormFailureAlert } from './form-failure-alert.tsx'
import { useReauthentication } from './use-reauthentication.tsx'

const required = z.string().check(minTextLength(1, en('This field is required', 'Este campo es obligatorio')))
const withPresent = z.object({ currentPassword: required, password: passwordSchema })
const withoutPresent = z.object({ password: passwordSchema })

/** The server's messages are Spanish. */
const refusals: Partial<Record<string, string>> = {
  password_too_common: en(
    'Many people use this password. Choose another.',
    'Esta contraseña la usa mucha gente. Elige otra.',
  ),
  password_personal_data: en(
    'This password can be guessed from your details. Choose another.',
    'Esta contraseña se adivina con tus datos. Elige otra.',
  ),
}

type Props = { hasPassword: boolean; onClose: () => void }

export function ChangePasswordForm({ hasPassword, onClose }: Props) {
  const { dialog, withReauthentication } = useReauthentication()
  const change = useChangePassword(withReauthentication, onClose)
  const { errors, blame, form } = useLightweightForm(
    async () => (hasPassword ? withPresent : withoutPresent),
    (given) =>
      change.mutate(given, {
        onError: (error) => {
          if (!(error instanceof ApiError)) return
          if (error.type === 'user_invalid_credentials')
            blame('currentPassword', en('That is not your password.', 'Esa no es tu contraseña.'))
          else if (error.field) blame(error.field, refusals[error.type] ?? error.message)
        },
      }),
  )
  const failed = change.isError && Object.values(errors).every((error) => !error)
  return (
    <section aria-label={en('Change your password', 'Cambia tu contraseña')} className="card mb-4 p-5">
      <h2 className="heading text-lead">{en('Change your password', 'Cambia tu contraseña')}</h2>
      <p className="mt-1 mb-3.5 text-pretty text-label text-text-2">
        {en(
          'All your other devices are logged out. Three random words make a good one.',
          'Se cierra la sesión en tus demás dispositivos. Tres palabras al azar van muy bien.',
        )}
      </p>
      <form {...form} className="flex flex-col gap-4">
        {hasPassword && (
          <LabelledFormField
            label={en('Current password', 'Contraseña actual')}
            error={errors.currentPassword}
          >
            {(control) => (
              <PasswordInput {...control} name="currentPassword" autoComplete="current-password" />
            )}
          </LabelledFormField>
        )}
        <LabelledFormField
          label={en('New password', 'Contraseña nueva')}
          hint={en('At least 8 characters.', 'Al menos 8 caracteres.')}
          error={errors.password}
        >
          {(control) => <PasswordInput {...control} name="password" autoComplete="new-password" />}
        </LabelledFormField>
        <FormFailureAlert shown={failed} error={change.error} />
        <div className="flex flex-wrap gap-2.5">
          <Button type="submit" busy={change.isPending} busyLabel={en('Saving...', 'Guardando...')}>
            {en('Change password', 'Cambiar la contraseña')}
          </Button>
          <Button kind="ghost" onClick={onClose}>
            {en('Cancel', 'Cancelar')}
          </Button>
        </div>
      </form>
      {dialog}
    </section>
  )
}
