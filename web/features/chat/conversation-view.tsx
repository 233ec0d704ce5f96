import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Conversation } from '#contract/chat/conversations.ts'
import { en } from '#contract/language.ts'
import { ApiError } from '#web/api/client.ts'
import { chatQueryKeys } from '#web/api/query-keys.ts'
import { MessageRequestBar } from '#web/features/chat/message-requests/message-request-bar.tsx'
import { PersonMenuButton } from '#web/features/people/person-menu-button.tsx'
import { screenPaths } from '#web/paths.ts'
import { AvatarWithName } from '#web/ui/avatar-with-name.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { MessageComposer } from './message-composer.tsx'
import { MessageList } from './message-list.tsx'
import { messageListQuery } from './messages/message-list-query.ts'
import { useMessageOutbox } from './messages/use-message-outbox.ts'
import { conversationQuery } from './queries.ts'

type Props = { conversationId: string; opener: ReactNode }

export function ConversationView({ conversationId, opener }: Props) {
  const listed = useQueryClient()
    .getQueryData<Conversation[]>(chatQueryKeys.list)
    ?.find(({ $id }) => $id === conversationId)
  const conversation = useQuery({ ...conversationQuery(conversationId), placeholderData: listed })
  const messages = useQuery(messageListQuery(conversationId))
  const sending = useMessageOutbox(conversationId)
  const other = conversation.data?.other

  if (conversation.isError && !conversation.data) {
    return (
      <>
        {opener && <Head>{opener}</Head>}
        <div className="grid min-h-0 flex-1 place-items-center overflow-y-auto">
          {isMissing(conversation.error) ? (
            <EmptyState title={en('Conversation not found', 'No encontramos esa conversación')}>
              <ButtonLink to={screenPaths.chat()} kind="outline">
                <ArrowLeft aria-hidden size={18} strokeWidth={2} />
                {en('Back to Chat', 'Volver al chat')}
              </ButtonLink>
            </EmptyState>
          ) : (
            <ErrorState
              text={en('We couldn’t load this.', 'No pudimos cargarlo.')}
              onRetry={conversation.refetch}
            />
          )}
        </div>
      </>
    )
  }
  return (
    <>
      <Head>
        {opener}
        {other ? <Other person={other} /> : <OtherSkeleton />}
        {other && conversation.data?.can.block && <PersonMenuButton person={other} className="ml-auto" />}
      </Head>
      <MessageList
        conversationId={conversationId}
        other={other}
        query={messages}
        quiet={!conversation.data || isReadQuietly(conversation.data)}
        plainText={conversation.data?.standing === 'asked'}
        hidesCards={conversation.data?.can.accept === true}
        outgoing={sending.outgoing}
        mayWrite={conversation.data?.can.write === true}
        mayReact={conversation.data?.standing === 'open' && conversation.data.left === null}
        onTryAgain={sending.sendAgain}
        onDiscard={sending.discard}
      />
      {conversation.data?.can.write === false ? (
        <p className="mx-2.5 mb-3 flex-none rounded-photo bg-sunken px-4 py-4.5 text-center text-text-2 md:mx-3 md:mb-5 lg:mx-[clamp(12px,4vw,48px)]">
          {en(
            'You can’t send messages in this conversation.',
            'No puedes enviar mensajes en esta conversación.',
          )}
        </p>
      ) : (
        <>
          {conversation.data && <MessageRequestBar conversation={conversation.data} />}
          <MessageComposer
            conversationId={conversationId}
            otherName={other?.name ?? ''}
            sending={sending.sending}
            mayOnlyType={conversation.data?.left === 0}
            mayAddPhotos={conversation.data?.can.addPhotos === true}
            onSend={sending.sendBox}
          />
        </>
      )}
    </>
  )
}

const isReadQuietly = ({ standing, restricted }: Conversation) => standing === 'asked' || restricted

/** The server answers 400 to an invalid id, and 404 also for other people's conversations. */
const isMissing = (error: unknown) => error instanceof ApiError && [400, 404].includes(error.code)

function Head({ children }: { children: ReactNode }) {
  return (
    <header className="flex min-h-16 flex-none items-center gap-2.5 border-b border-border bg-surface px-2 py-2 md:min-h-18 md:gap-3 md:px-6 md:py-3">
      {children}
    </header>
  )
}

function Other({ person }: { person: Conversation['other'] }) {
  if (!person.visible) {
    return (
      <div className="flex min-h-11 min-w-0 items-center gap-3">
        <AvatarWithName person={person} look="title" />
      </div>
    )
  }
  return (
    <Link to={screenPaths.profile(person.$id)} className="flex min-h-11 min-w-0 items-center gap-3">
      <AvatarWithName person={person} look="title" />
    </Link>
  )
}

function OtherSkeleton() {
  return (
    <span aria-hidden="true" className="flex items-center gap-3">
      <Skeleton className="size-11 rounded-full" />
      <Skeleton className="h-3.5 w-32" />
    </span>
  )
}
