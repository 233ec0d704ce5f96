import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react'
import {
  type getAccountSettingsEndpoint,
  reauthenticateByPasskeyEndpoint,
  reauthenticateEndpoint,
} from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import type { OperationOutput } from '#contract/operation.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { genericErrorMessage } from '#web/api/error-message.ts'
import { describeTooManyAttempts } from '#web/api/rate-limit-message.ts'
import { isPasskeyBrowser } from '#web/features/account/passkeys/passkey-support.ts'
import { LabelledFormField, PasswordInput, TextInput } from '#web/forms/labelled-form-field.tsx'
import { Button } from '#web/ui/button.tsx'
import { Modal } from '#web/ui/modal.tsx'
import { accountSettingsQuery } from './account-security-queries.ts'

export class ReauthenticationCancelled extends Error {}

/**
 * The dialog asks for this factor. `strongest`: the code if two-factor authentication is on, otherwise the
 * password.
 */
type ReauthenticationFactor = 'password' | 'code' | 'strongest'

/** The factors that the account has. An account that is being deleted cannot read its settings. */
export type ReauthenticationFactors = { code: boolean; password: boolean; passkey: boolean }

/**
 * If the server requires re-authentication, shows the dialog and repeats the call.
 * @param known by default, the account's settings say which factors it has
 * @returns `withReauthentication` rejects with `ReauthenticationCancelled` if the dialog is closed
 */
export function useReauthentication(
  factor: ReauthenticationFactor = 'password',
  known?: ReauthenticationFactors,
): {
  dialog: ReactNode
  withReauthentication: <T>(call: () => Promise<T>) => Promise<T>
} {
  const client = useQueryClient()
  const [byCode, setByCode] = useState(factor === 'code')
  const [settle, setSettle] = useState<(reauthenticated: boolean) => void>()
  const ask = () => new Promise<boolean>((resolve) => setSettle(() => resolve))

  async function withReauthentication<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof ApiError && error.type === 'user_challenge_required')) throw error
    }
    if (factor === 'strongest')
      setByCode((known ?? factorsOf(await client.fetchQuery(accountSettingsQuery))).code)
    if (!(await ask())) throw new ReauthenticationCancelled()
    return call()
  }

  function close(reauthenticated: boolean) {
    settle?.(reauthenticated)
    setSettle(undefined)
  }

  return {
    dialog: (
      <ReauthenticationDialog open={settle !== undefined} byCode={byCode} known={known} onClose={close} />
    ),
    withReauthentication,
  }
}

const factorsOf = ({
  twoSteps,
  hasPassword,
  passkeyCount,
}: OperationOutput<typeof getAccountSettingsEndpoint>): ReauthenticationFactors => ({
  code: twoSteps.on,
  password: hasPassword,
  passkey: (passkeyCount ?? 0) > 0,
})

type DialogProps = {
  open: boolean
  byCode: boolean
  known: ReauthenticationFactors | undefined
  onClose: (reauthenticated: boolean) => void
}

function ReauthenticationDialog({ open, byCode, known, onClose }: DialogProps) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  return (
    <Modal
      open={open}
      role="dialog"
      labelledBy={`${id}-title`}
      describedBy={`${id}-text`}
      firstFocus={field}
      onClose={() => onClose(false)}
    >
      <div className="p-7">
        <h2 id={`${id}-title`} className="heading text-[1.375rem] leading-[1.75rem]">
          {en('Confirm it’s you', 'Confirma que eres tú')}
        </h2>
        <p id={`${id}-text`} className="mt-2 mb-6 text-pretty text-text-2">
          {en(
            'It has been a while since you signed in. We won’t ask again for 15 minutes.',
            'Hace un rato que entraste. No lo volveremos a pedir durante 15 minutos.',
          )}
        </p>
        {open && <ReauthenticationForm field={field} byCode={byCode} known={known} onClose={onClose} />}
      </div>
    </Modal>
  )
}

type FormProps = Omit<DialogProps, 'open'> & { field: React.RefObject<HTMLInputElement | null> }

function ReauthenticationForm({ field, byCode, known, onClose }: FormProps) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const { data: settings } = useQuery({ ...accountSettingsQuery, enabled: known === undefined })
  const factors = known ?? (settings && factorsOf(settings))
  const offersPasskey = factors?.passkey === true && isPasskeyBrowser()
  // Without a password, only the passkey button appears.
  const asksForText = byCode || !offersPasskey || factors.password

  async function reauthenticateByPasskey() {
    const { askForReauthenticationPasskey, isPromptGivenUp } = await import(
      '#web/features/account/passkeys/passkey-prompts.ts'
    )
    setBusy(true)
    setFailure(undefined)
    try {
      await callApiOperation(reauthenticateByPasskeyEndpoint, {
        assertion: await askForReauthenticationPasskey(),
      })
      onClose(true)
    } catch (error) {
      if (!isPromptGivenUp(error)) setFailure(describePasskeyReauthenticationFailure(error))
    } finally {
      setBusy(false)
    }
  }

  async function reauthenticate(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy) return
    const given = String(new FormData(event.currentTarget).get('proof'))
    setBusy(true)
    try {
      await callApiOperation(reauthenticateEndpoint, byCode ? { code: given.trim() } : { password: given })
      onClose(true)
    } catch (error) {
      setFailure(describeReauthenticationFailure(error, byCode))
      field.current?.focus()
    } finally {
      setBusy(false)
    }
  }

  return (
    <form onSubmit={reauthenticate} noValidate>
      {asksForText ? (
        <ReauthenticationField field={field} byCode={byCode} failure={failure} />
      ) : (
        <p role="alert" className="text-label font-[550] text-danger empty:hidden">
          {failure}
        </p>
      )}
      {offersPasskey && (
        <Button kind="outline" block className="mt-4" busy={busy} onClick={reauthenticateByPasskey}>
          <Fingerprint aria-hidden size={18} strokeWidth={2} />
          {en('Use a passkey', 'Usar una llave de acceso')}
        </Button>
      )}
      <div className="mt-6 flex justify-end gap-2.5 max-md:flex-col-reverse">
        <Button kind="ghost" onClick={() => onClose(false)}>
          {en('Cancel', 'Cancelar')}
        </Button>
        {asksForText && (
          <Button type="submit" busy={busy}>
            {en('Continue', 'Continuar')}
          </Button>
        )}
      </div>
    </form>
  )
}

function ReauthenticationField({
  field,
  byCode,
  failure,
}: Pick<FormProps, 'field' | 'byCode'> & { failure: string | undefined }) {
  return byCode ? (
    <LabelledFormField
      label={en('Code', 'Código')}
      hint={en('From your app, or a recovery code.', 'De tu aplicación, o un código de recuperación.')}
      error={failure}
    >
      {(control) => <TextInput {...control} ref={field} name="proof" autoComplete="one-time-code" />}
    </LabelledFormField>
  ) : (
    <LabelledFormField label={en('Password', 'Contraseña')} error={failure}>
      {(control) => <PasswordInput {...control} ref={field} name="proof" autoComplete="current-password" />}
    </LabelledFormField>
  )
}

function describePasskeyReauthenticationFailure(error: unknown): string {
  if (error instanceof ApiError && error.type === 'passkey_unknown')
    return en('That passkey doesn’t work for this account.', 'Esa llave no sirve para esta cuenta.')
  return en('That passkey did not work. Please try again.', 'Esa llave no funcionó. Inténtalo de nuevo.')
}

function describeReauthenticationFailure(error: unknown, byCode: boolean): string {
  const code = error instanceof ApiError ? error.code : 0
  if (byCode && (code === 401 || code === 400))
    return en(
      'That code doesn’t match. Check that your phone’s clock is right.',
      'Ese código no coincide. Comprueba que el reloj de tu teléfono esté en hora.',
    )
  if (code === 401) return en('That is not your password.', 'Esa no es tu contraseña.')
  if (code === 429) return describeTooManyAttempts(error)
  return genericErrorMessage
}
