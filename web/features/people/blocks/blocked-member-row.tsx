import { UsersRound } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { en } from '#contract/language.ts'
import type { MemberBlock } from '#contract/people/blocks.ts'
import { openReport } from '#web/features/moderation/report-dialog/open-report.ts'
import { Switch } from '#web/forms/switch.tsx'
import { screenPaths } from '#web/paths.ts'
import { AvatarWithName } from '#web/ui/avatar-with-name.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { useToggleBlockNewerAccounts, useUnblockMember } from './mutations.ts'

type Props = {
  block: MemberBlock
  /** The row, which has the focus, is about to disappear. */
  onUnblocked: () => void
}

export function BlockedMemberRow({ block, onUnblocked }: Props) {
  const { person, $createdAt, newerAccounts, conversationId, groupsInCommon } = block
  const id = useId()
  const [confirming, setConfirming] = useState(false)
  const unblock = useUnblockMember(person, () => {
    setConfirming(false)
    onUnblocked()
  })
  const newer = useToggleBlockNewerAccounts(block)
  return (
    <li aria-labelledby={`${id}-name`} className="py-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <div className="flex min-w-0 flex-1 items-center gap-3">
          <AvatarWithName person={{ ...person, imageId: null }} size={48} look="title" nameId={`${id}-name`}>
            <span className="mt-1 flex flex-wrap items-center gap-x-3 text-meta text-text-2">
              <span>
                {en('Blocked ', 'Bloqueada ')}
                <RelativeTime at={$createdAt} inSentence />
              </span>
              {groupsInCommon > 0 && (
                <span className="flex items-center gap-1.5">
                  <UsersRound aria-hidden size={16} strokeWidth={2} className="flex-none" />
                  {groupsInCommon === 1
                    ? en('1 group in common', '1 grupo en común')
                    : en(`${groupsInCommon} groups in common`, `${groupsInCommon} grupos en común`)}
                </span>
              )}
            </span>
          </AvatarWithName>
        </div>
        <Button
          kind="outline"
          size="sm"
          busy={unblock.isPending}
          aria-label={en(`Unblock ${person.name}`, `Desbloquear a ${person.name}`)}
          onClick={() => setConfirming(true)}
        >
          {en('Unblock', 'Desbloquear')}
        </Button>
      </div>
      <ul className="mt-3.5 divide-y divide-border rounded-photo bg-sunken px-4">
        <Detail
          titleId={`${id}-newer`}
          title={en('Newer accounts from her browser', 'Cuentas más nuevas de su navegador')}
          text={en(
            'Anyone who signs in there with a new account is blocked too.',
            'Quien entre allí con una cuenta nueva también queda bloqueada.',
          )}
        >
          <Switch
            checked={newerAccounts}
            busy={newer.isPending}
            labelledBy={`${id}-newer`}
            onChange={(checked) => newer.mutate(checked)}
          />
        </Detail>
        {conversationId && (
          <Detail
            titleId={`${id}-talk`}
            title={en('Your conversation', 'La conversación')}
            text={en('Kept for you.', 'La conservas tú.')}
          >
            <ButtonLink
              to={screenPaths.chat(conversationId)}
              kind="outline"
              size="sm"
              aria-describedby={`${id}-name`}
            >
              {en('See messages', 'Ver mensajes')}
            </ButtonLink>
          </Detail>
        )}
        <Detail
          titleId={`${id}-report`}
          title={en('Something she did', 'Algo que hizo')}
          text={en('You can still report it', 'Todavía puedes denunciarlo')}
        >
          <Button
            kind="outline"
            size="sm"
            aria-label={en(`Report ${person.name}…`, `Denunciar a ${person.name}…`)}
            onClick={() => void openReport({ kind: 'member', id: person.$id })}
          >
            {en('Report…', 'Denunciar…')}
          </Button>
        </Detail>
      </ul>
      <ConfirmDialog
        open={confirming}
        title={en(`Unblock ${person.name}?`, `¿Desbloquear a ${person.name}?`)}
        text={en(
          'You can find each other again. You won’t follow each other.',
          'Podrán volver a encontrarse. No se seguirán.',
        )}
        confirm={en('Unblock', 'Desbloquear')}
        cancel={en('Cancel', 'Cancelar')}
        busy={unblock.isPending}
        onConfirm={() => unblock.mutate()}
        onCancel={() => setConfirming(false)}
      />
    </li>
  )
}

type DetailProps = { titleId: string; title: string; text: string; children: ReactNode }

function Detail({ titleId, title, text, children }: DetailProps) {
  return (
    <li className="flex min-h-11 items-center gap-3 py-2.5">
      <div className="min-w-0 flex-1">
        <p id={titleId} className="text-label font-[640]">
          {title}
        </p>
        <p className="text-meta text-text-2">{text}</p>
      </div>
      {children}
    </li>
  )
}
