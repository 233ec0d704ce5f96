import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import type { Conversation } from '#contract/chat/conversations.ts'
import { en } from '#contract/language.ts'
import { useUnrestrictMember } from '#web/features/people/mutes-and-restrictions/restriction-mutations.ts'
import { screenPaths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { type MessageRequestDecision, useDecideMessageRequest } from './mutations.ts'

export function MessageRequestBar({ conversation }: { conversation: Conversation }) {
  if (conversation.restricted) return <RestrictedBar conversation={conversation} />
  if (conversation.standing === 'asked') return <AskedBar conversation={conversation} />
  if (conversation.can.accept) return <StrangerBar conversation={conversation} />
  if (conversation.can.addPhotos) return null
  return (
    <p role="status" className="mx-2.5 flex-none pt-2 text-center text-label text-text-2">
      {conversation.left === 0
        ? en('You can write more once she answers.', 'Podrás escribir más cuando te conteste.')
        : conversation.left === null
          ? en('You can send photos once she answers.', 'Podrás enviar fotos cuando te conteste.')
          : en(
              `You can send ${conversation.left} more until she answers. After that, photos too.`,
              `Puedes enviar ${conversation.left} más hasta que te conteste. Después, también fotos.`,
            )}
    </p>
  )
}

function StrangerBar({ conversation }: { conversation: Conversation }) {
  const decision = useDecideMessageRequest(conversation, () => {})
  const { name } = conversation.other
  return (
    <Bar
      text={en(
        `${name} can send photos once you answer or accept.`,
        `${name} podrá enviarte fotos cuando le contestes o aceptes.`,
      )}
    >
      <Button size="sm" disabled={decision.isPending} onClick={() => decision.mutate('accept')}>
        {en('Accept', 'Aceptar')}
      </Button>
    </Bar>
  )
}

function AskedBar({ conversation }: { conversation: Conversation }) {
  const navigate = useNavigate()
  const decision = useDecideMessageRequest(conversation, (decided) => {
    if (decided === 'decline') void navigate(screenPaths.messageRequests(), { replace: true })
  })
  const decide = (what: MessageRequestDecision) => () => decision.mutate(what)
  return (
    <Bar
      text={en(
        'She can’t see whether you have read this. Replying accepts the request.',
        'No puede ver si has leído esto. Si contestas, aceptas la solicitud.',
      )}
    >
      <Button size="sm" disabled={decision.isPending} onClick={decide('accept')}>
        {en('Accept', 'Aceptar')}
      </Button>
      <Button kind="quiet" size="sm" disabled={decision.isPending} onClick={decide('decline')}>
        {en('Decline', 'Rechazar')}
      </Button>
    </Bar>
  )
}

function RestrictedBar({ conversation: { other } }: { conversation: Conversation }) {
  const unrestrict = useUnrestrictMember(other)
  return (
    <Bar
      text={en(
        'You restricted her. She can’t see whether you have read this.',
        'La restringiste. No puede ver si has leído esto.',
      )}
    >
      <Button kind="quiet" size="sm" busy={unrestrict.isPending} onClick={() => unrestrict.mutate()}>
        {en('Unrestrict', 'Quitar la restricción')}
      </Button>
    </Bar>
  )
}

const Bar = ({ text, children }: { text: string; children: ReactNode }) => (
  <section
    aria-label={en('Message request', 'Solicitud de mensaje')}
    className="mx-2.5 mt-2 flex flex-none flex-wrap items-center justify-center gap-x-3 gap-y-2 rounded-photo bg-sunken px-4 py-2.5 md:mx-3 lg:mx-[clamp(12px,4vw,48px)]"
  >
    <p className="min-w-0 text-pretty text-label text-text-2">{text}</p>
    {children}
  </section>
)
