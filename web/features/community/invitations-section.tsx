import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus, Ticket, TicketCheck, TicketX } from 'lucide-react'
import { maxOpenInvitations } from '#contract/community/community-limits.ts'
import type { Invitation } from '#contract/community/invitations.ts'
import { createInvitationEndpoint, revokeInvitationEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import { callApiOperation } from '#web/api/client.ts'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'
import { RefusalAlert } from '#web/features/moderation/refusal-alert.tsx'
import {
  SettingsActionButton,
  SettingsActionLink,
  SettingsRow,
} from '#web/features/settings/settings-box-and-rows.tsx'
import { formatDay } from '#web/format-day.ts'
import { screenPaths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast/toast-store.ts'
import { communityQuery, invitationsQuery } from './queries.ts'

/** Lists whom the member invited, and makes invitations. */
export function InvitationsSection() {
  const client = useQueryClient()
  const query = useQuery(invitationsQuery)
  const { data: community } = useQuery(communityQuery)
  const refresh = () => client.invalidateQueries({ queryKey: invitationsQuery.queryKey })
  const creating = useSingleFlightMutation({
    mutationFn: () => callApiOperation(createInvitationEndpoint, {}),
    onSuccess: refresh,
  })
  return (
    <>
      <p className="mx-1 mb-4 text-pretty text-text-2 md:mx-0">
        {community?.registration === 'invite' &&
          en(`${community.name} is by invitation. `, `En ${community.name} se entra con invitación. `)}
        {en('You can have ', 'Puedes tener ')}
        {maxOpenInvitations}
        {en(
          ' open at a time; each works for one person and 7 days. She sees your name, and you see who came.',
          ' abiertas a la vez; cada una vale para una persona y 7 días. Ella ve tu nombre, y tú ves quién vino.',
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
      <Button busy={creating.isPending} onClick={() => creating.mutate()}>
        <Plus aria-hidden size={20} strokeWidth={2} />
        {en('New invitation', 'Invitación nueva')}
      </Button>
      <RefusalAlert error={creating.error} />
    </>
  )
}

function InvitationRow({ invitation, onEnded }: { invitation: Invitation; onEnded: () => void }) {
  const { $id, state, code, at, guest } = invitation
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
        title={guest?.name ?? en('Somebody who is not here any more', 'Alguien que ya no está aquí')}
        text={en(`Came on ${day} with your invitation`, `Vino el ${day} con tu invitación`)}
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
        text={en('Nobody used it', 'Nadie la usó')}
      />
    )
  const address = `${location.origin}${screenPaths.join(code)}`
  return (
    <>
      <SettingsRow
        icon={Ticket}
        color="brand"
        title={address.replace(/^https?:\/\//, '')}
        text={en(`Open · until ${day}`, `Abierta · hasta el ${day}`)}
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
            {en('Take back', 'Retirarla')}
          </SettingsActionButton>
        </span>
      </SettingsRow>
      <RefusalAlert error={ending.error} />
    </>
  )
}
