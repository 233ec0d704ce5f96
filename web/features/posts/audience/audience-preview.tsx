import { useQuery } from '@tanstack/react-query'
import { Eye } from 'lucide-react'
import { useState } from 'react'
import { en } from '#contract/language.ts'
import type { AudiencePreview as Audience } from '#contract/posts/audience-preview.ts'
import { formatQuantity } from '#web/format-quantity.ts'
import { useCommunityName } from '#web/navigation/community-identity.ts'
import { Button } from '#web/ui/button.tsx'
import { Avatar } from '#web/ui/images/avatar.tsx'
import { AudienceDialog } from './audience-members-dialog.tsx'
import { audienceQuery } from './audience-query.ts'

type Props = { groupId: string; postId: string | undefined }

export function AudiencePreview({ groupId, postId }: Props) {
  const { data, isError, isFetching, refetch } = useQuery(audienceQuery(groupId, postId))
  const [listed, setListed] = useState(false)
  const known = data && !isError ? data : undefined
  const failed = isError && !isFetching
  return (
    <section
      aria-label={en('Who will see this', 'Quién verá esto')}
      className="mt-6 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-tile border border-border py-3.5 pr-4 pl-4.5"
    >
      <span className="grid size-11 flex-none place-items-center rounded-full bg-accent-soft text-on-accent-soft">
        <Eye aria-hidden size={22} strokeWidth={2} />
      </span>
      <div aria-live="polite" className="min-w-0 flex-[1_1_200px]">
        {known ? (
          <Words audience={known} />
        ) : (
          <p className="text-label text-text-2">
            {failed
              ? en('We couldn’t check who will see this.', 'No pudimos comprobar quién verá esto.')
              : en('Checking who will see this…', 'Comprobando quién verá esto…')}
          </p>
        )}
      </div>
      {known && known.faces.length > 0 && (
        <span className="flex max-md:ml-15">
          {known.faces.map((face) => (
            <span key={face.$id} className="-ml-2.5 rounded-full border-[2.5px] border-surface first:ml-0">
              <Avatar person={face} size={31} />
            </span>
          ))}
        </span>
      )}
      {known && known.kind !== 'everyone' && known.count > 0 && (
        <Button kind="outline" size="sm" className="ml-auto" onClick={() => setListed(true)}>
          {en('See who', 'Ver quiénes')}
        </Button>
      )}
      {failed && (
        <Button kind="outline" size="sm" className="ml-auto" onClick={() => void refetch()}>
          {en('Try again', 'Volver a intentar')}
        </Button>
      )}
      <AudienceDialog
        groupId={groupId}
        open={listed && known !== undefined && known.kind !== 'everyone'}
        onClose={() => setListed(false)}
      />
    </section>
  )
}

function Words({ audience: { kind, count, rounded, group } }: { audience: Audience }) {
  const community = useCommunityName()
  const [who, what] =
    kind === 'group'
      ? [
          en(
            `${formatQuantity(count, 'member')} of ${group?.name}`,
            `${formatQuantity(count, 'integrante')} de ${group?.name}`,
          ),
          en(
            'will see this post, its photo and its place. Nobody outside the group.',
            'verán esta publicación, su foto y su lugar. Nadie fuera del grupo.',
          ),
        ]
      : kind === 'followers'
        ? [
            formatQuantity(count, en('follower', 'seguidora')),
            en(
              'Only people you approved can see this post, its photo and its place.',
              'Solo las personas que aceptaste pueden ver esta publicación, su foto y su lugar.',
            ),
          ]
        : [
            en(`Everyone on ${community}`, `Todas en ${community}`),
            en(
              'Every member can see this post, its photo and its place.',
              'Cualquier integrante puede ver esta publicación, su foto y su lugar.',
            ),
          ]
  return (
    <>
      <p className="text-body font-[680] [overflow-wrap:anywhere]">{who}</p>
      <p className="text-meta text-pretty text-text-2">
        {what}
        {kind === 'everyone' &&
          count > 0 &&
          en(
            ` Right now: ${rounded ? 'about ' : ''}${formatQuantity(count, 'person', 'people')}.`,
            ` Ahora mismo: ${rounded ? 'unas ' : ''}${formatQuantity(count, 'persona', 'personas')}.`,
          )}
      </p>
    </>
  )
}
