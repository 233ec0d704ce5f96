import { useQueryClient } from '@tanstack/react-query'
import { Megaphone, X } from 'lucide-react'
import { useId, useRef } from 'react'
import { dismissAnnouncementEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import type { CurrentMember } from '#contract/people/people.ts'
import { callApiOperation } from '#web/api/client.ts'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'
import { signedInMemberQuery } from '#web/features/account/signed-in-member.ts'
import { LinkedText } from '#web/features/chat/links/linked-text.tsx'
import { RefusalAlert } from '#web/features/moderation/refusal-alert.tsx'
import { moveFocusToContent } from '#web/navigation/move-focus-to-content.ts'
import { IconButton } from '#web/ui/button.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'

export function Announcement({ version, text, at }: NonNullable<CurrentMember['announcement']>) {
  const client = useQueryClient()
  const titleId = useId()
  const section = useRef<HTMLElement>(null)
  const dismissing = useSingleFlightMutation({
    mutationFn: () => callApiOperation(dismissAnnouncementEndpoint, { version }),
    onSuccess() {
      moveFocusToContent(section.current)
      client.setQueryData<CurrentMember>(
        signedInMemberQuery.queryKey,
        (me) => me && { ...me, announcement: undefined },
      )
    },
  })
  return (
    <section ref={section} aria-labelledby={titleId} className="card mb-3 px-4 pt-2 pb-4 md:mb-5 md:px-5">
      <div className="flex items-center gap-2.5">
        <Megaphone aria-hidden size={20} strokeWidth={1.9} className="flex-none text-brand-text" />
        <h2 id={titleId} className="font-[680]">
          {en('Announcement', 'Anuncio')}
        </h2>
        <span className="min-w-0 flex-1 text-meta text-text-2">
          <RelativeTime at={at} />
        </span>
        <IconButton
          label={en('Dismiss announcement', 'Descartar el anuncio')}
          className="-mr-2"
          aria-busy={dismissing.isPending || undefined}
          onClick={() => dismissing.mutate()}
        >
          <X aria-hidden size={20} strokeWidth={2} />
        </IconButton>
      </div>
      <p dir="auto" className="text-pretty whitespace-pre-wrap wrap-anywhere">
        <LinkedText text={text} />
      </p>
      <RefusalAlert error={dismissing.error} />
    </section>
  )
}
