/** Founding, changing and deleting a group (spec §7 Groups). */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Group } from '#contract/groups.ts'
import { createGroup, deleteGroup, getGroup, updateGroup } from '#contract/routes.ts'
import { call } from '#web/api.ts'
import { toast } from '#web/ui/toast-store.ts'
import { useAct } from '#web/use-act.ts'
import { useStoredOnce } from '#web/use-stored-once.ts'
import { withPicture } from '#web/with-picture.ts'
import { forgetPosts, groupKeys, groupsChanged, type Pages, patchGroup, withGroup } from './cache.ts'
import type { GroupValues } from './group-draft.ts'
import { sayRefusal } from './refusal.ts'

type Send = (file: File) => Promise<string>

/** She pressed Cancel, or went away. */
const wasCancelled = (error: Error) => error.name === 'AbortError'

export function useCreateGroup(send: Send) {
  const client = useQueryClient()
  const storedOnce = useStoredOnce()
  return useMutation({
    mutationFn: ({ photo, ...group }: GroupValues) =>
      storedOnce(group, photo, {
        store: (groupId) =>
          withPicture(photo, send, (imageId) =>
            call(createGroup, { ...group, groupId, imageId, isPrivate: true }),
          ),
        find: (groupId) => call(getGroup, { groupId }),
      }),
    onError: (error) => {
      if (wasCancelled(error)) return
      toast({ title: 'Error', text: 'Failed to create group. Please try again.', kind: 'destructive' })
    },
    onSuccess: (group) => {
      client.setQueryData<Pages<Group>>(groupKeys.list, (list) => list && withGroup(list, group))
      toast({ text: 'Group created successfully!' })
      void groupsChanged(client)
    },
  })
}

export function useUpdateGroup(groupId: string, send: Send) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ photo, ...group }: GroupValues) =>
      withPicture(photo, send, (imageId) =>
        call(updateGroup, { ...group, imageId: photo === null ? null : imageId, groupId }),
      ),
    onError: (error) => {
      if (wasCancelled(error)) return
      sayRefusal(error, 'Failed to update group. Please try again.')
    },
    onSuccess: (group) => {
      patchGroup(client, groupId, () => group)
      toast({ text: 'Group updated' })
      void groupsChanged(client)
    },
  })
}

/** `mutate` takes the name as she typed it. */
export function useDeleteGroup(groupId: string, onDeleted: () => void) {
  const client = useQueryClient()
  return useAct({
    mutationFn: (name: string) => call(deleteGroup, { groupId, name }),
    onError: (error) => sayRefusal(error, 'Failed to delete group. Please try again.'),
    onSuccess: () => {
      onDeleted()
      forgetPosts(client, groupId)
      toast({ title: 'Group deleted', text: 'Its posts, members and requests went with it.' })
      // Not the group itself: the page that shows it is being left.
      const ofOthers = ({ queryKey }: { queryKey: readonly unknown[] }) => !queryKey.includes(groupId)
      void client.invalidateQueries({ queryKey: groupKeys.all, predicate: ofOthers })
    },
  })
}
