import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { acceptHouseRulesEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import type { CurrentMember } from '#contract/people/people.ts'
import { callApiOperation } from '#web/api/client.ts'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'
import { signedInMemberQuery } from '#web/features/account/signed-in-member.ts'
import { RefusalAlert } from '#web/features/moderation/refusal-alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { Modal } from '#web/ui/modal.tsx'
import { HouseRules } from './house-rules-screen.tsx'
import { communityQuery } from './queries.ts'

/** Shows new rules once. Closing the dialog counts as having read them. */
export function HouseRulesDialog({ version }: { version: number }) {
  const id = useId()
  const client = useQueryClient()
  const { data: community } = useQuery(communityQuery)
  const accepting = useSingleFlightMutation({
    mutationFn: () => callApiOperation(acceptHouseRulesEndpoint, { version }),
    onSuccess: () =>
      client.setQueryData<CurrentMember>(
        signedInMemberQuery.queryKey,
        (me) => me && { ...me, unreadHouseRules: undefined },
      ),
  })
  if (!community) return null
  return (
    <Modal open role="dialog" labelledBy={`${id}-title`} onClose={() => accepting.mutate()}>
      <div className="p-7">
        <h2 id={`${id}-title`} className="heading text-[1.375rem] leading-[1.75rem]">
          {en('The house rules', 'Las normas de la casa')}
        </h2>
        <p className="mt-2 mb-3 text-pretty text-text-2">
          {community.rulesVersion > 1 ? en('They have changed. ', 'Han cambiado. ') : ''}
          {en('How we treat each other here.', 'Así nos tratamos aquí.')}
        </p>
        <HouseRules rules={community.rules} />
        <RefusalAlert error={accepting.error} />
        <div className="mt-6 flex justify-end">
          <Button busy={accepting.isPending} onClick={() => accepting.mutate()}>
            {en('I’ve read them', 'Las he leído')}
          </Button>
        </div>
      </div>
    </Modal>
  )
}
