import * as z from 'zod/mini'
import { passwordSchema } from '#contract/field-schemas.ts'
import { ApiError } from '#web/api/client.ts'
import { LabelledFormField, PasswordInput } from '#web/forms/labelled-form-field.tsx'
import { useLightweightForm } from '#web/forms/use-lightweight-form.ts'
import { Button } from '#web/ui/button.tsx'
import { useChangePassword } from './account-security-mutations.ts'
import { FormFailure } from './form-failure.tsx'
import { useFreshProof } from './use-fresh-proof.tsx'

const required = z.string().check(z.minLength(1, 'This field is required'))
const withPresent = z.object({ currentPassword: required, password: passwordSchema })
const withoutPresent = z.object({ password: passwordSchema })

/** The server's sentences for a refused password are in Spanish. */
const refusals: Partial<Record<string, string>> = {
  password_too_common: 'Many people use this password. Choose another.',
  password_personal_data: 'This password can be guessed from what others know of you. Choose another.',
}

type Props = { hasPassword: boolean; onClose: () => void }

/** Changes the password, by the present one where there is one. */
export function ChangePasswordForm({ hasPassword, onClose }: Props) {
  const { dialog, withProof } = useFreshProof()
  const change = useChangePassword(withProof, onClose)
  const { errors, blame, form } = useLightweightForm(
    async () => (hasPassword ? withPresent : withoutPresent),
    (given) =>
      change.mutate(given, {
        onError: (error) => {
          if (!(error instanceof ApiError)) return
          if (error.type === 'user_invalid_credentials')
            blame('currentPassword', 'That is not your password.')
          else if (error.field) blame(error.field, refusals[error.type] ?? error.message)
        },
      }),
  )
  const failed = change.isError && Object.values(errors).every((error) => !error)
  return (
    <section aria-label="Change your password" className="card mb-4 p-5">
      <h2 className="heading text-lead">Change your password</h2>
      <p className="mt-1 mb-3.5 text-pretty text-label text-text-2">
        All your other devices are signed out. Three random words make a good one.
      </p>
      <form {...form} className="flex flex-col gap-4">
        {hasPassword && (
          <LabelledFormField label="Present password" error={errors.currentPassword}>
            {(control) => (
              <PasswordInput {...control} name="currentPassword" autoComplete="current-password" />
            )}
          </LabelledFormField>
        )}
        <LabelledFormField label="New password" hint="At least 8 characters." error={errors.password}>
          {(control) => <PasswordInput {...control} name="password" autoComplete="new-password" />}
        </LabelledFormField>
        <FormFailure shown={failed} error={change.error} />
        <div className="flex flex-wrap gap-2.5">
          <Button type="submit" busy={change.isPending} busyLabel="Saving...">
            Change password
          </Button>
          <Button kind="ghost" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
      {dialog}
    </section>
  )
}
