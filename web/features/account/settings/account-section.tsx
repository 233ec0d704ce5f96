import { useQuery } from '@tanstack/react-query'
import { KeyRound, Mail } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'react-router'
import type { getAccountSettingsEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import type { OperationOutput } from '#contract/operation.ts'
import { ConnectedAccounts } from '#web/features/account/providers/connected-accounts.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import {
  useCancelEmailChange,
  useRequestEmailConfirmation,
  useResendEmailChange,
} from './account-security-mutations.ts'
import { accountSettingsQuery } from './account-security-queries.ts'
import { ChangeEmailForm } from './change-email-form.tsx'
import { ChangePasswordForm } from './change-password-form.tsx'
import { CloseAccountBox } from './close-account-box.tsx'
import {
  SettingsActionButton,
  SettingsBadge,
  SettingsBox,
  SettingsNote,
  SettingsNoteButton,
  SettingsRow,
} from './settings-box-and-rows.tsx'
import { useReauthentication } from './use-reauthentication.tsx'

type Settings = OperationOutput<typeof getAccountSettingsEndpoint>

type Open = 'email' | 'password' | undefined

export function AccountSection() {
  const query = useQuery(accountSettingsQuery)
  return (
    <QueryView query={query} skeleton={<Skeleton className="h-40 rounded-card" />} noticeClassName="mb-3.5">
      {(settings) => <Account {...settings} />}
    </QueryView>
  )
}

function Account(settings: Settings) {
  const { email, emailVerified, pendingEmail, hasPassword, passwordUpdatedAt, mail, twoSteps } = settings
  const [open, setOpen] = useState<Open>((useLocation().state as { change?: Open } | null)?.change)
  const toggle = (what: Open) => setOpen(open === what ? undefined : what)
  const close = () => setOpen(undefined)
  return (
    <>
      {pendingEmail !== null && <PendingEmail email={email ?? ''} pendingEmail={pendingEmail} />}
      {!emailVerified && email !== null && mail && <UnconfirmedEmail email={email} />}
      <SettingsBox>
        <SettingsRow
          icon={Mail}
          color={emailVerified ? 'success' : 'plain'}
          title={en('Email', 'Correo')}
          text={email ?? en('Not set.', 'Sin indicar.')}
        >
          {emailVerified && (
            <span className="max-md:hidden">
              <SettingsBadge color="success">{en('Confirmed', 'Confirmado')}</SettingsBadge>
            </span>
          )}
          <SettingsActionButton
            label={en('Change email', 'Cambiar el correo')}
            expanded={open === 'email'}
            onClick={() => toggle('email')}
          >
            {en('Change', 'Cambiar')}
          </SettingsActionButton>
        </SettingsRow>
        <SettingsRow
          icon={KeyRound}
          title={en('Password', 'Contraseña')}
          text={
            passwordUpdatedAt ? (
              <>
                {en('Changed ', 'Cambiada ')}
                <RelativeTime at={passwordUpdatedAt} inSentence />
              </>
            ) : (
              describeMissingPassword(settings.identities.length > 0)
            )
          }
        >
          <SettingsActionButton
            label={en('Change password', 'Cambiar la contraseña')}
            expanded={open === 'password'}
            onClick={() => toggle('password')}
          >
            {hasPassword ? en('Change', 'Cambiar') : en('Choose', 'Elegir')}
          </SettingsActionButton>
        </SettingsRow>
      </SettingsBox>
      {open === 'email' && (
        <ChangeEmailForm
          emailVerified={emailVerified}
          asksForPassword={hasPassword && !twoSteps.on}
          mail={mail}
          onClose={close}
        />
      )}
      {open === 'password' && <ChangePasswordForm hasPassword={hasPassword} onClose={close} />}
      <ConnectedAccounts identities={settings.identities} providers={settings.providers} />
      <CloseAccountBox />
    </>
  )
}

const describeMissingPassword = (isConnected: boolean) =>
  isConnected
    ? en(
        'No password. You sign in with an email link or a connected account.',
        'Sin contraseña. Entras con un enlace o con una cuenta conectada.',
      )
    : en('No password. You sign in with an email link.', 'Sin contraseña. Entras con un enlace.')

function UnconfirmedEmail({ email }: { email: string }) {
  const send = useRequestEmailConfirmation()
  return (
    <SettingsNote
      icon={Mail}
      color="warning"
      actions={
        !send.isSuccess && (
          <SettingsNoteButton busy={send.isPending} onClick={() => send.mutate()}>
            {en('Send the link', 'Enviar el enlace')}
          </SettingsNoteButton>
        )
      }
    >
      <b className="font-[650]">{en('Confirm your email', 'Confirma tu correo')}</b>{' '}
      <span role="status">
        {send.isSuccess && en(`We sent a link to ${email}.`, `Enviamos un enlace a ${email}.`)}
      </span>
    </SettingsNote>
  )
}

function PendingEmail({ email, pendingEmail }: { email: string; pendingEmail: string }) {
  const { dialog, withReauthentication } = useReauthentication('strongest')
  const resend = useResendEmailChange(withReauthentication)
  const cancel = useCancelEmailChange()
  return (
    <SettingsNote
      icon={Mail}
      color="warning"
      actions={
        <>
          <SettingsNoteButton busy={resend.isPending} onClick={() => resend.mutate(pendingEmail)}>
            {en('Send again', 'Enviar otra vez')}
          </SettingsNoteButton>
          <SettingsNoteButton busy={cancel.isPending} onClick={() => cancel.mutate()}>
            {en('Cancel', 'Cancelar')}
          </SettingsNoteButton>
        </>
      }
    >
      <b className="font-[650]">
        {en('Confirm ', 'Confirma ')}
        {pendingEmail}.
      </b>
      {en(
        ' We sent a link there. Until you open it you still sign in with ',
        ' Enviamos un enlace allí. Hasta que lo abras sigues entrando con ',
      )}
      {email}.{dialog}
    </SettingsNote>
  )
}
