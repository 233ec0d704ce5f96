import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link2, Plus, Ticket, TicketCheck, TicketX } from 'lucide-react'
import { invitationLifetimeDays, maxOpenInvitations } from '#contract/community/community-limits.ts'
import type { Invitation } from '#contract/community/invitations.ts'
import { createInvitationEndpoint, revokeInvitationEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import { callApiOperation } from '#web/api/client.ts'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'
import {
  SettingsActionButton,
  SettingsActionLink,
  SettingsRow,
} from '#web/features/account/settings/settings-box-and-rows.tsx'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { useOperatorMutation } from '#web/features/admin/use-operator-mutation.ts'
import { RefusalAlert } from '#web/features/moderation/refusal-alert.tsx'
import { formatDay } from '#web/format-day.ts'
import { screenPaths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast/toast-store.ts'
import { communityQuery, invitationsQuery } from './queries.ts'

export function InvitationsSection() {
  const client = useQueryClient()
  const me = useSignedInMember()
  const limit = maxOpenInvitations[me.operates ? 'operator' : 'member']
  const query = useQuery(invitationsQuery)
  const { data: community } = useQuery(communityQuery)
  const refresh = () => client.invalidateQueries({ queryKey: invitationsQuery.queryKey })
  const creating = useOperatorMutation({
    mutationFn: (reusable: boolean) => callApiOperation(createInvitationEndpoint, { reusable }),
    onSuccess: refresh,
  })
  return (
    <>
      <p className="mx-1 mb-4 text-pretty text-text-2 md:mx-0">
        {community?.registration === 'invite' &&
          en(
            `New members of ${community.name} need an invitation. `,
            `Para unirse a ${community.name} hace falta una invitación. `,
          )}
        {en(
          `Each invitation works for one person and ${invitationLifetimeDays.single} days. She sees your name, and you see who joined. You can have up to ${limit} open.`,
          `Cada invitación vale para una persona durante ${invitationLifetimeDays.single} días. Ella ve tu nombre y tú ves quién se une. Puedes tener hasta ${limit} abiertas.`,
        )}
        {me.operates &&
          en(
            ` A reusable link works for everyone who has it, for ${invitationLifetimeDays.reusable} days; you see how many joined.`,
            ` Un enlace reutilizable vale para todas las que lo tengan durante ${invitationLifetimeDays.reusable} días; ves cuántas se unieron.`,
          )}
      </p>
      <QueryView query={query} skeleton={<Skeleton className="h-48" />}>
        {({ documents }) =>
          documents.length > 0 && (
            <ul className="card mb-4 divide-y divide-border px-4 py-1.5 md:px-5">
              {documents.map((invitation) => (
                <li key={invitation.$id}>
                  <InvitationRow invitation={invitation} onEnded={refresh} />
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
      <div className="flex flex-wrap gap-2.5">
        <Button busy={creating.isPending} onClick={() => creating.mutate(false)}>
          <Plus aria-hidden size={20} strokeWidth={2} />
          {en('New invitation', 'Invitación nueva')}
        </Button>
        {me.operates && (
          <Button kind="outline" busy={creating.isPending} onClick={() => creating.mutate(true)}>
            <Link2 aria-hidden size={20} strokeWidth={2} />
            {en('New reusable link', 'Nuevo enlace reutilizable')}
          </Button>
        )}
      </div>
      <RefusalAlert error={creating.error} />
      {creating.dialog}
    </>
  )
}

function InvitationRow({ invitation, onEnded }: { invitation: Invitation; onEnded: () => void }) {
  const { $id, state, code, at, guest, reusable, uses } = invitation
  const joined = en(`${uses} joined`, uses === 1 ? '1 se unió' : `${uses} se unieron`)
  const ending = useSingleFlightMutation({
    mutationFn: () => callApiOperation(revokeInvitationEndpoint, { invitationId: $id }),
    onSuccess: onEnded,
  })
  const day = formatDay(at, en('en', 'es'))
  if (state === 'used')
    return (
      <SettingsRow
        icon={TicketCheck}
        color="success"
        title={guest?.name ?? en('Former member', 'Alguien que ya no está')}
        text={en(`Joined on ${day} with your invitation`, `Se unió el ${day} con tu invitación`)}
      >
        {guest && (
          <SettingsActionLink to={screenPaths.profile(guest.$id)}>
            {en('Profile', 'Perfil')}
          </SettingsActionLink>
        )}
      </SettingsRow>
    )
  if (state === 'ended' || code === null)
    return (
      <SettingsRow
        icon={TicketX}
        title={en(`Ended on ${day}`, `Terminó el ${day}`)}
        text={reusable ? joined : en('Nobody used it', 'Nadie la usó')}
      />
    )
  const address = `${location.origin}${screenPaths.join(code)}`
  return (
    <>
      <SettingsRow
        icon={reusable ? Link2 : Ticket}
        color="brand"
        title={address.replace(/^https?:\/\//, '')}
        text={
          reusable
            ? en(`Reusable · until ${day} · ${joined}`, `Reutilizable · hasta el ${day} · ${joined}`)
            : en(`Open · until ${day}`, `Abierta · hasta el ${day}`)
        }
        wraps
      >
        <span className="flex gap-4">
          <SettingsActionButton
            onClick={async () => {
              await navigator.clipboard.writeText(address)
              toast({ text: en('Copied.', 'Copiado.') })
            }}
          >
            {en('Copy', 'Copiar')}
          </SettingsActionButton>
          <SettingsActionButton danger busy={ending.isPending} onClick={() => ending.mutate()}>
            {en('Revoke', 'Revocar')}
          </SettingsActionButton>
        </span>
      </SettingsRow>
      <RefusalAlert error={ending.error} />
    </>
  )
}
