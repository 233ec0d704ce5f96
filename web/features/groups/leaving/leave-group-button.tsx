import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { getGroupMembershipEndpoint } from '#contract/generated-endpoints.ts'
import type { Group } from '#contract/groups/groups.ts'
import { en } from '#contract/language.ts'
import { callApiOperation } from '#web/api/client.ts'
import { groupQueryKeys } from '#web/api/query-keys.ts'
import { formatNumber } from '#web/format-number.ts'
import { RadioOption } from '#web/forms/radio-option.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { useLeaveGroup } from '../mutations.ts'

export function LeaveGroupButton({ group }: { group: Group }) {
  const client = useQueryClient()
  const leave = useLeaveGroup(group)
  const [counting, setCounting] = useState(false)
  const [postCount, setPostCount] = useState<number>()
  const [posts, setPosts] = useState<'keep' | 'take'>('keep')
  const [confirming, setConfirming] = useState(false)

  async function ask() {
    setCounting(true)
    const membership = await client
      .fetchQuery({
        queryKey: groupQueryKeys.membership(group.$id),
        queryFn: () => callApiOperation(getGroupMembershipEndpoint, { groupId: group.$id }),
        retry: false,
      })
      .catch(() => undefined)
    setCounting(false)
    setPostCount(membership?.postCount)
    setPosts('keep')
    setConfirming(true)
  }

  return (
    <>
      <Button
        kind="ghost"
        className="max-md:col-span-2"
        busy={counting || leave.isPending}
        onClick={() => void ask()}
      >
        {en('Leave Group', 'Salir del grupo')}
      </Button>
      <ConfirmDialog
        open={confirming}
        {...(postCount !== 0
          ? {
              title: en(`Leave ${group.name}?`, `¿Salir de ${group.name}?`),
              text: en('You will no longer see its posts.', 'Ya no verás sus publicaciones.'),
            }
          : {
              title: en('Leave this group?', '¿Salir de este grupo?'),
              text: en(
                'You will no longer see its posts. What you posted there stays yours.',
                'Ya no verás sus publicaciones. Lo que publicaste allí sigue siendo tuyo.',
              ),
            })}
        confirm={en('Leave', 'Salir')}
        cancel={en('Stay', 'Quedarme')}
        danger
        onConfirm={() => {
          setConfirming(false)
          leave.mutate(posts)
        }}
        onCancel={() => setConfirming(false)}
      >
        {postCount !== 0 && <OwnPosts count={postCount} chosen={posts} onChoose={setPosts} />}
      </ConfirmDialog>
    </>
  )
}

type OwnPostsProps = {
  /** If unknown, the choice is shown anyway, because there may be posts. */
  count: number | undefined
  chosen: 'keep' | 'take'
  onChoose: (posts: 'keep' | 'take') => void
}

function OwnPosts({ count, chosen, onChoose }: OwnPostsProps) {
  const mine =
    count === undefined
      ? en('my posts', 'mis publicaciones')
      : count === 1
        ? en('my post', 'mi publicación')
        : en(`my ${formatNumber(count)} posts`, `mis ${formatNumber(count)} publicaciones`)
  const ways = [
    { value: 'keep', label: en(`Leave ${mine} in the group`, `Dejar ${mine} en el grupo`) },
    {
      value: 'take',
      label: en(`Take ${mine} with me`, `Llevarme ${mine}`),
      text: en(
        `Only you will see ${count === 1 ? 'it' : 'them'}.`,
        `Solo tú ${count === 1 ? 'la' : 'las'} verás.`,
      ),
    },
  ] as const
  return (
    <div role="radiogroup" aria-label={en('Your posts', 'Tus publicaciones')} className="-mt-3 mb-6">
      {ways.map(({ value, ...words }) => (
        <RadioOption
          key={value}
          name="own-posts"
          {...words}
          checked={value === chosen}
          onChoose={() => onChoose(value)}
        />
      ))}
    </div>
  )
}
