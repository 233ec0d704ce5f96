import { useQuery } from '@tanstack/react-query'
import { KeyRound, Mail } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'react-router'
import type { getSettingsEndpoint } from '#contract/generated-endpoints.ts'
import type { OperationOutput } from '#contract/operation.ts'
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
import {
  NoteButton,
  RowButton,
  SettingsBadge,
  SettingsBox,
  SettingsNote,
  SettingsRow,
} from './settings-box.tsx'
import { useFreshProof } from './use-fresh-proof.tsx'

type Settings = OperationOutput<typeof getSettingsEndpoint>

/** What of the account is being changed. */
type Open = 'email' | 'password' | undefined

/** Shows the e-mail address and the password of the account, and changes them. */
export function AccountSection() {
  const query = useQuery(accountSettingsQuery)
  return (
    <QueryView query={query} skeleton={<Skeleton className="h-40 rounded-card" />} noticeClassName="mb-3.5">
      {(settings) => <Account {...settings} />}
    </QueryView>
  )
}

function Account(settings: Settings) {
  const { email, emailVerified, pendingEmail, hasPassword, passwordUpdatedAt, mail } = settings
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
          title="E-mail"
          text={email ?? 'Not given.'}
        >
          {emailVerified && (
            <span className="max-md:hidden">
              <SettingsBadge color="success">Confirmed</SettingsBadge>
            </span>
          )}
          <RowButton label="Change e-mail" expanded={open === 'email'} onClick={() => toggle('email')}>
            Change
          </RowButton>
        </SettingsRow>
        <SettingsRow
          icon={KeyRound}
          title="Password"
          text={
            passwordUpdatedAt ? (
              <>
                Changed <RelativeTime at={passwordUpdatedAt} inSentence />
              </>
            ) : (
              'You have none. You sign in by a link.'
            )
          }
        >
          <RowButton
            label="Change password"
            expanded={open === 'password'}
            onClick={() => toggle('password')}
          >
            {hasPassword ? 'Change' : 'Choose'}
          </RowButton>
        </SettingsRow>
      </SettingsBox>
      {open === 'email' && (
        <ChangeEmailForm emailVerified={emailVerified} hasPassword={hasPassword} onClose={close} />
      )}
      {open === 'password' && <ChangePasswordForm hasPassword={hasPassword} onClose={close} />}
    </>
  )
}

function UnconfirmedEmail({ email }: { email: string }) {
  const send = useRequestEmailConfirmation()
  return (
    <SettingsNote
      icon={Mail}
      color="warning"
      actions={
        !send.isSuccess && (
          <NoteButton busy={send.isPending} onClick={() => send.mutate()}>
            Send the link
          </NoteButton>
        )
      }
    >
      <b className="font-[650]">Confirm your e-mail</b>{' '}
      <span role="status">{send.isSuccess && `We sent a link to ${email}.`}</span>
    </SettingsNote>
  )
}

function PendingEmail({ email, pendingEmail }: { email: string; pendingEmail: string }) {
  const { dialog, withProof } = useFreshProof()
  const resend = useResendEmailChange(withProof)
  const cancel = useCancelEmailChange()
  return (
    <SettingsNote
      icon={Mail}
      color="warning"
      actions={
        <>
          <NoteButton busy={resend.isPending} onClick={() => resend.mutate(pendingEmail)}>
            Send again
          </NoteButton>
          <NoteButton busy={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel
          </NoteButton>
        </>
      }
    >
      <b className="font-[650]">Confirm {pendingEmail}.</b> We sent a link there. Until you open it you still
      sign in with {email}.{dialog}
    </SettingsNote>
  )
}
