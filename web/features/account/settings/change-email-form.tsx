import * as z from 'zod/mini'
import { emailSchema } from '#contract/field-schemas.ts'
import { en } from '#contract/language.ts'
import { minTextLength } from '#contract/text-length.ts'
import { ApiError } from '#web/api/client.ts'
import { LabelledFormField, PasswordInput, TextInput } from '#web/forms/labelled-form-field.tsx'
import { useLightweightForm } from '#web/forms/use-lightweight-form.ts'
import { Button } from '#web/ui/button.tsx'
import { useRequestEmailChange } from './account-security-mutations.ts'
import { FormFailureAlert } from './form-failure-alert.tsx'
import { ReauthenticationCancelled, useReauthentication } from './use-reauthentication.tsx'

const required = z.string().check(minTextLength(1, en('This field is required', 'Este campo es obligatorio')))
const withPassword = z.object({ email: emailSchema, password: required })
const withoutPassword = z.object({ email: emailSchema })

type Props = { emailVerified: boolean; asksForPassword: boolean; mail: boolean; onClose: () => void }

/** Without a password field, the dialog requires re-authentication. */
export function ChangeEmailForm({ mail, ...form }: Props) {
  return (
    <section aria-label={en('Change your email', 'Cambia tu correo')} className="card mb-4 p-5">
      <h2 className="heading text-lead">{en('Change your email', 'Cambia tu correo')}</h2>
      {form.emailVerified && !mail ? (
        <p className="mt-1 text-pretty text-label text-text-2">
          {en(
            'A confirmed email can only be changed by email, and this community sends none.',
            'Un correo confirmado solo se cambia por correo, y esta comunidad no los envía.',
          )}
        </p>
      ) : (
        <Form {...form} />
      )}
    </section>
  )
}

function Form({ emailVerified, asksForPassword, onClose }: Omit<Props, 'mail'>) {
  const { dialog, withReauthentication } = useReauthentication('strongest')
  const change = useRequestEmailChange(withReauthentication, onClose)
  const { errors, blame, form } = useLightweightForm(
    async () => (asksForPassword ? withPassword : withoutPassword),
    (given) =>
      change.mutate(given, {
        onError: (error) => {
          if (!(error instanceof ApiError)) return
          if (error.type === 'user_invalid_credentials')
            blame('password', en('That is not your password.', 'Esa no es tu contraseña.'))
          if (error.type === 'user_email_already_exists')
            blame(
              'email',
              en(
                'Another account has this email. Choose another one.',
                'Otra cuenta tiene este correo. Elige otro.',
              ),
            )
        },
      }),
  )
  const failed =
    change.isError &&
    !(change.error instanceof ReauthenticationCancelled) &&
    Object.values(errors).every((error) => !error)
  return (
    <>
      <p className="mt-1 mb-3.5 text-pretty text-label text-text-2">
        {emailVerified
          ? en(
              'We email the new address first. Your email changes when you open that link. The old address gets an email and can undo the change for seven days.',
              'Escribimos primero a la dirección nueva. Tu correo cambia cuando abras ese enlace. La antigua recibe un aviso y puede deshacer el cambio durante siete días.',
            )
          : en(
              'It changes immediately, because your current address is not confirmed.',
              'Cambia al momento, porque tu dirección actual no está confirmada.',
            )}
      </p>
      <form {...form} className="flex flex-col gap-4">
        <LabelledFormField label={en('New email', 'Correo nuevo')} error={errors.email}>
          {(control) => <TextInput {...control} name="email" type="email" autoComplete="email" />}
        </LabelledFormField>
        {asksForPassword && (
          <LabelledFormField label={en('Password', 'Contraseña')} error={errors.password}>
            {(control) => <PasswordInput {...control} name="password" autoComplete="current-password" />}
          </LabelledFormField>
        )}
        <FormFailureAlert shown={failed} error={change.error} />
        <div className="flex flex-wrap gap-2.5">
          <Button type="submit" busy={change.isPending} busyLabel={en('Sending...', 'Enviando...')}>
            {emailVerified
              ? en('Send the link', 'Enviar el enlace')
              : en('Change email', 'Cambiar el correo')}
          </Button>
          <Button kind="ghost" onClick={onClose}>
            {en('Cancel', 'Cancelar')}
          </Button>
        </div>
      </form>
      {dialog}
    </>
  )
}
