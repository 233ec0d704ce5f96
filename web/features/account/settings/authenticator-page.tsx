import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ExternalLink, Mail } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { encode } from 'uqr'
import { beginAuthenticatorEndpoint, turnOnTwoFactorEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { genericErrorMessage } from '#web/api/error-message.ts'
import { settingsQueryKeys } from '#web/api/query-keys.ts'
import { describeTooManyAttempts } from '#web/api/rate-limit-message.ts'
import { CodeInput } from '#web/forms/code-input.tsx'
import { LabelledFormField } from '#web/forms/labelled-form-field.tsx'
import { screenPaths } from '#web/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useRequestEmailConfirmation } from './account-security-mutations.ts'
import { accountSettingsQuery } from './account-security-queries.ts'
import { RecoveryCodes } from './recovery-codes/recovery-codes.tsx'
import { SettingsNote, SettingsNoteButton } from './settings-box-and-rows.tsx'
import { useReauthentication } from './use-reauthentication.tsx'

export function AuthenticatorPage() {
  const { dialog, withReauthentication } = useReauthentication()
  const [codes, setCodes] = useState<readonly string[]>()
  // Each visit starts again, so no secret stays in the page.
  const query = useQuery({
    queryKey: ['authenticator'],
    queryFn: () => withReauthentication(() => callApiOperation(beginAuthenticatorEndpoint, {})),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    enabled: codes === undefined,
  })
  if (codes) return <RecoveryCodes codes={codes} justTurnedOn />
  return (
    <>
      <ConfirmEmailFirst />
      <QueryView query={query} skeleton={<Skeleton className="h-40 rounded-card" />} noticeClassName="mb-3.5">
        {({ secret, uri }) => (
          <>
            <Secret secret={secret} uri={uri} />
            <FirstCode onTurnedOn={setCodes} />
          </>
        )}
      </QueryView>
      {dialog}
    </>
  )
}

/** With an unverified address, a password reset by email would turn two-factor authentication off. */
function ConfirmEmailFirst() {
  const { data } = useQuery(accountSettingsQuery)
  const send = useRequestEmailConfirmation()
  if (!data || data.emailVerified || data.email === null) return null
  return (
    <SettingsNote
      icon={Mail}
      color="warning"
      actions={
        data.mail &&
        !send.isSuccess && (
          <SettingsNoteButton busy={send.isPending} onClick={() => send.mutate()}>
            {en('Send the link', 'Enviar el enlace')}
          </SettingsNoteButton>
        )
      }
    >
      <b className="font-[650]">{en('Confirm your email first', 'Primero confirma tu correo')}</b>{' '}
      {en(
        'Until then, a password reset by email turns two-step verification off.',
        'Hasta entonces, restablecer la contraseña por correo desactiva la verificación en dos pasos.',
      )}{' '}
      <span role="status">
        {send.isSuccess && en(`We sent a link to ${data.email}.`, `Enviamos un enlace a ${data.email}.`)}
      </span>
    </SettingsNote>
  )
}

function Secret({ secret, uri }: { secret: string; uri: string }) {
  return (
    <section
      aria-label={en('Scan this with your app', 'Escanea esto con tu aplicación')}
      className="card mb-4 p-5"
    >
      <h2 className="heading text-lead">{en('Scan this with your app', 'Escanea esto con tu aplicación')}</h2>
      <p className="mt-1 mb-3.5 text-pretty text-label text-text-2">
        {en(
          'Any authenticator app works: your phone’s own, 1Password, Bitwarden, Aegis, Google Authenticator.',
          'Vale cualquier aplicación de autenticación: la de tu teléfono, 1Password, Bitwarden, Aegis, Google Authenticator.',
        )}
      </p>
      <div className="flex flex-wrap items-center gap-6">
        <QrCode text={uri} />
        <div className="min-w-0 flex-[1_1_14rem]">
          <p className="text-label text-text-2">
            {en(
              'Or open it on this phone, or type the key:',
              'O ábrelo en este teléfono, o escribe la clave:',
            )}
          </p>
          <p className="mt-2 mb-3.5 rounded-input bg-sunken px-4 py-3 font-[650] wrap-anywhere">
            {secret.match(/.{1,4}/g)?.join(' ')}
          </p>
          <a
            href={uri}
            className="inline-flex min-h-11 items-center gap-2 rounded-full bg-brand-soft px-5 font-[650] text-brand-text hover:bg-brand-soft-hover"
          >
            <ExternalLink aria-hidden size={18} strokeWidth={1.9} className="flex-none" />
            {en('Open in my app', 'Abrir en mi aplicación')}
          </a>
        </div>
      </div>
    </section>
  )
}

/** An image URL would expose the secret to logs. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 2 })
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      role="img"
      aria-label={en('QR code for your app', 'Código QR para tu aplicación')}
      viewBox={`0 0 ${size} ${size}`}
      width="192"
      height="192"
      shapeRendering="crispEdges"
      className="flex-none rounded-photo"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

function FirstCode({ onTurnedOn }: { onTurnedOn: (codes: readonly string[]) => void }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()

  async function turnOn(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy) return
    const code = String(new FormData(event.currentTarget).get('code'))
    setBusy(true)
    setFailure(undefined)
    try {
      const { recoveryCodes } = await callApiOperation(turnOnTwoFactorEndpoint, { code })
      if (recoveryCodes) onTurnedOn(recoveryCodes)
      else await navigate(screenPaths.settingsPage('security'))
      await client.invalidateQueries({ queryKey: settingsQueryKeys.all })
    } catch (error) {
      setFailure(describeCodeFailure(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <form onSubmit={turnOn} noValidate className="card mb-4 p-5">
      <h2 className="heading text-lead">
        {en('Type the six digits it shows', 'Escribe los seis dígitos que muestra')}
      </h2>
      <p className="mt-1 mb-3.5 text-pretty text-label text-text-2">
        {en(
          'Nothing is turned on until this works, so you cannot lock yourself out.',
          'Nada se activa antes de que esto funcione, así que no puedes quedarte fuera.',
        )}
      </p>
      <LabelledFormField label={en('Code', 'Código')} error={failure}>
        {(control) => <CodeInput {...control} name="code" />}
      </LabelledFormField>
      <div className="mt-4 flex flex-wrap gap-2.5">
        <Button type="submit" busy={busy} busyLabel={en('Turning on...', 'Activando...')}>
          {en('Turn on', 'Activar')}
        </Button>
        <ButtonLink to={screenPaths.settingsPage('security')} kind="ghost">
          {en('Cancel', 'Cancelar')}
        </ButtonLink>
      </div>
    </form>
  )
}

function describeCodeFailure(error: unknown): string {
  const code = error instanceof ApiError ? error.code : 0
  if (code === 429) return describeTooManyAttempts(error)
  if (code === 400 || code === 401)
    return en(
      'That code doesn’t match. Check that your phone’s clock is right.',
      'Ese código no coincide. Comprueba que el reloj de tu teléfono esté en hora.',
    )
  return genericErrorMessage
}
