import { TicketX } from 'lucide-react'
import { useCallback } from 'react'
import { Link, Navigate, useParams } from 'react-router'
import { getInvitationEndpoint } from '#contract/generated-endpoints.ts'
import { es } from '#contract/language.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { AuthFormSwitchLink } from '#web/features/account/auth-form-parts.tsx'
import { EmailLinkStatus } from '#web/features/account/email-link-parts.tsx'
import { useSessionStatus } from '#web/features/account/session.ts'
import { SignUpForm } from '#web/features/account/sign-up-screen.tsx'
import { formatDay } from '#web/format-day.ts'
import { formatNumber } from '#web/format-number.ts'
import { useCommunityName } from '#web/navigation/community-identity.ts'
import { screenPaths } from '#web/paths.ts'
import { Avatar } from '#web/ui/images/avatar.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useCommunity } from './use-community.ts'
import { useVisitorQuery } from './use-visitor-query.ts'

export function JoinScreen() {
  const { code = '' } = useParams()
  const session = useSessionStatus()
  const query = useVisitorQuery(
    useCallback((signal) => callApiOperation(getInvitationEndpoint, { code }, signal), [code]),
  )
  const [place, reload] = useCommunity()
  const community = useCommunityName()
  if (session === 'member') return <Navigate to={screenPaths.home()} replace />
  if (query.error instanceof ApiError && query.error.code < 500) return <InvitationOver />
  return (
    <QueryView
      query={query}
      title={es(`Te invitan a ${community}`, `You are invited to ${community}`)}
      skeleton={<Skeleton className="h-19" />}
    >
      {({ inviter, community, expiresAt }) => (
        <>
          <div className="mb-6 flex items-center gap-3.5 rounded-photo bg-brand-soft px-4 py-3.5 text-brand-text">
            <Avatar person={{ name: inviter.name, imageId: null }} size={48} />
            <p className="text-pretty">
              <b className="font-[680]">{inviter.name}</b>
              {es(' te invita a', ' invites you to')} <b className="font-[680]">{community.name}</b>
              {es('. La invitación vale hasta el', '. The invitation is valid until')}{' '}
              {formatDay(expiresAt, es('es', 'en'))}.
            </p>
          </div>
          <SignUpForm
            community={place}
            onRulesChanged={reload}
            invite={code}
            intro={
              community.membersAtLeast === 0
                ? es(
                    'Serás de las primeras. Solo las integrantes ven lo que publicas.',
                    'You’ll be one of the first. Only members see what you post.',
                  )
                : es(
                    `Al menos ${community.membersAtLeast.toLocaleString('es')} mujeres comparten aquí lo que hacen. Solo las integrantes ven lo que publicas.`,
                    `At least ${formatNumber(community.membersAtLeast)} women share what they do here. Only members see what you post.`,
                  )
            }
          />
        </>
      )}
    </QueryView>
  )
}

function InvitationOver() {
  return (
    <EmailLinkStatus
      icon={TicketX}
      color="warning"
      title={es('Esta invitación ya no vale.', 'This invitation is no longer valid.')}
      lead={es('Pide otra a quien te la mandó.', 'Ask the person who sent it for a new one.')}
    >
      <AuthFormSwitchLink question={es('¿Ya eres de las nuestras?', 'Already one of us?')}>
        <Link to={screenPaths.signIn()}>{es('Entra', 'Sign in')}</Link>
      </AuthFormSwitchLink>
    </EmailLinkStatus>
  )
}
