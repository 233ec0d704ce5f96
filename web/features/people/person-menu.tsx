import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { Ban, Flag, Hand, UserRoundMinus, Volume2, VolumeX } from 'lucide-react'
import { useState } from 'react'
import { en } from '#contract/language.ts'
import type { PersonSummary } from '#contract/people/people.ts'
import { openReport } from '#web/features/moderation/report-dialog/open-report.ts'
import { BlockDialog } from '#web/features/people/blocks/block-dialog.tsx'
import { blockPreviewQuery } from '#web/features/people/blocks/queries.ts'
import { useMuteMember, useUnmuteMember } from '#web/features/people/mutes-and-restrictions/mute-mutations.ts'
import { muteQuery } from '#web/features/people/mutes-and-restrictions/mute-queries.ts'
import {
  useRestrictMember,
  useUnrestrictMember,
} from '#web/features/people/mutes-and-restrictions/restriction-mutations.ts'
import { restrictionQuery } from '#web/features/people/mutes-and-restrictions/restriction-queries.ts'
import { useRemoveFollower } from '#web/features/people/privacy/mutations.ts'
import { AvatarWithName } from '#web/ui/avatar-with-name.tsx'
import { Menu } from '#web/ui/menu.tsx'
import { profileQuery } from './queries.ts'

export type PersonMenuProps = {
  person: Pick<PersonSummary, '$id' | 'name' | 'username' | 'imageId'>
  button: HTMLElement | undefined
  onClose: () => void
  /** Whether blocking the person empties the current page. */
  leavesPage?: boolean
  post?: { $id: string; groupId: string | null }
}

/**
 * Loads before the menu opens, so items do not change under the finger. Hidden members cannot be muted or restricted.
 */
export async function preloadPersonMenu(client: QueryClient, personId: string): Promise<void> {
  await Promise.all([
    client.prefetchQuery(muteQuery(personId)),
    client.prefetchQuery(restrictionQuery(personId)),
    client.prefetchQuery(profileQuery(personId)),
  ])
}

export function PersonMenu({ person, button, onClose, leavesPage, post }: PersonMenuProps) {
  const client = useQueryClient()
  const { data: muted } = useQuery({ ...muteQuery(person.$id), enabled: false })
  const { data: restricted } = useQuery({ ...restrictionQuery(person.$id), enabled: false })
  const { data: profile } = useQuery({ ...profileQuery(person.$id), enabled: false })
  const removeFollower = useRemoveFollower(person)
  const mute = useMuteMember(person)
  const unmute = useUnmuteMember(person)
  const restrict = useRestrictMember(person)
  const unrestrict = useUnrestrictMember(person)
  const [blocking, setBlocking] = useState(false)
  const firstName = person.name.trim().split(/\s+/u)[0]
  const quieten = muted
    ? {
        label: en('Unmute', 'Dejar de silenciar'),
        text: en(
          'Her posts come back to your Home and Explore.',
          'Sus publicaciones vuelven a tu Inicio y a Explorar.',
        ),
        icon: Volume2,
        run: () => unmute.mutate(),
      }
    : {
        label: en('Mute', 'Silenciar'),
        text: en(
          'Her posts leave your Home and Explore.',
          'Sus publicaciones salen de tu Inicio y de Explorar.',
        ),
        icon: VolumeX,
        run: () => mute.mutate(),
      }
  const limit = restricted
    ? {
        label: en('Unrestrict', 'Quitar la restricción'),
        text: en(
          'Your conversation comes back to your messages.',
          'La conversación con ella vuelve a tus mensajes.',
        ),
        icon: Hand,
        run: () => unrestrict.mutate(),
      }
    : {
        label: en('Restrict', 'Restringir'),
        text: en(
          'Her messages wait in your requests. She can’t see if you read them.',
          'Sus mensajes esperan en tus solicitudes. No puede ver si los lees.',
        ),
        icon: Hand,
        run: () => restrict.mutate(),
      }
  const items = [
    ...(muted === undefined ? [] : [quieten]),
    ...(restricted === undefined ? [] : [limit]),
    ...(profile?.followsMe
      ? [
          {
            label: en('Remove as follower', 'Quitar como seguidora'),
            text: en('She isn’t notified.', 'No se le avisa.'),
            icon: UserRoundMinus,
            run: () => removeFollower.mutate(),
          },
        ]
      : []),
    ...(post
      ? [
          {
            label: en('Report post…', 'Denunciar la publicación…'),
            text: en(
              `To ${post.groupId ? 'the group’s admin or ' : ''}the moderators. She won’t know who reported.`,
              `A ${post.groupId ? 'la administradora del grupo o a ' : ''}las moderadoras. No sabrá quién denunció.`,
            ),
            icon: Flag,
            separated: true,
            run: () =>
              void openReport({ kind: 'post', id: post.$id, inGroup: post.groupId !== null, person }),
          },
        ]
      : []),
    {
      label: en(`Report ${firstName}…`, `Denunciar a ${firstName}…`),
      text: post
        ? undefined
        : en(
            'To the moderators. She won’t know who reported.',
            'A las moderadoras. No sabrá quién denunció.',
          ),
      icon: Flag,
      separated: !post,
      run: () => void openReport({ kind: 'member', id: person.$id, person }),
    },
    {
      label: en(`Block ${firstName}…`, `Bloquear a ${firstName}…`),
      text: en('You won’t be able to see or contact each other.', 'No podrán verse ni escribirse.'),
      icon: Ban,
      danger: true,
      run: () => {
        void client.prefetchQuery(blockPreviewQuery(person.$id))
        setBlocking(true)
      },
    },
  ]
  return (
    <>
      <Menu
        button={button}
        label={en(`More about ${person.name}`, `Más sobre ${person.name}`)}
        items={items}
        onClose={onClose}
        head={<AvatarWithName person={person} look="title" />}
      />
      <BlockDialog
        person={person}
        open={blocking}
        leavesPage={leavesPage}
        onClose={() => setBlocking(false)}
      />
    </>
  )
}
