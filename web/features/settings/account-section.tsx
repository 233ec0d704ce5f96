import { useQuery } from '@tanstack/react-query'
import { KeyRound, Mail } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'react-router'
import type { getAccountSettingsEndpoint } from '#contract/generated-endpoints.ts'
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
  SettingsActionButton,
  SettingsBadge,
  SettingsBox,
  SettingsNote,
  SettingsNoteButton,
  SettingsRow,
} from './settings-box.tsx'
import { useFreshProof } from './use-fresh-proof.tsx'

type Settings = OperationOutput<typeof getAccountSettingsEndpoint>

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
          <SettingsActionButton
            label="Change e-mail"
            expanded={open === 'email'}
            onClick={() => toggle('email')}
          >
            Change
          </SettingsActionButton>
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
          <SettingsActionButton
            label="Change password"
            expanded={open === 'password'}
            onClick={() => toggle('password')}
          >
            {hasPassword ? 'Change' : 'Choose'}
          </SettingsActionButton>
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
          <SettingsNoteButton busy={send.isPending} onClick={() => send.mutate()}>
            Send the link
          </SettingsNoteButton>
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
          <SettingsNoteButton busy={resend.isPending} onClick={() => resend.mutate(pendingEmail)}>
            Send again
          </SettingsNoteButton>
          <SettingsNoteButton busy={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel
          </SettingsNoteButton>
        </>
      }
    >
      <b className="font-[650]">Confirm {pendingEmail}.</b> We sent a link there. Until you open it you still
      sign in with {email}.{dialog}
    </SettingsNote>
  )
}
