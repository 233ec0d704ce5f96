import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { messageSearchTermLength } from '#contract/chat/message-search.ts'
import { searchMessagesEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import type { OperationOutput } from '#contract/operation.ts'
import { callApiOperation } from '#web/api/client.ts'
import { chatQueryKeys } from '#web/api/query-keys.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { screenPaths } from '#web/paths.ts'
import { PersonSkeleton } from '#web/ui/avatar-with-name.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Avatar } from '#web/ui/images/avatar.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { SearchBox } from '#web/ui/search-box.tsx'
import { SkeletonRegion } from '#web/ui/skeleton.tsx'
import { useDebounced } from '#web/ui/use-debounced.ts'
import { splitAtSearchMatch } from './search-match.ts'

const debounceMs = 300

const first = undefined as string | undefined

/** The results are never cached, because messages may be unsent at any time. */
const messageSearchQuery = (term: string) =>
  infiniteQueryOptions({
    queryKey: chatQueryKeys.search(term),
    queryFn: ({ pageParam, signal }) =>
      callApiOperation(searchMessagesEndpoint, { term, before: pageParam }, signal),
    initialPageParam: first,
    getNextPageParam: ({ next }) => next,
    enabled: term.length >= messageSearchTermLength.min,
    gcTime: 0,
  })

type Props = { onClose: () => void; onSelect: () => void }

export function MessageSearch({ onClose, onSelect }: Props) {
  const [typed, setTyped] = useState('')
  const term = useDebounced(typed.trim().slice(0, messageSearchTermLength.max), debounceMs)
  const query = useInfiniteQuery(messageSearchQuery(term))
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="mx-4 mb-3 flex flex-none items-center gap-1">
        <IconButton
          label={en('Back to conversations', 'Volver a las conversaciones')}
          onClick={onClose}
          className="-ml-2"
        >
          <ArrowLeft aria-hidden size={20} strokeWidth={2} />
        </IconButton>
        <SearchBox
          label={en('Search messages', 'Buscar mensajes')}
          autoFocus
          value={typed}
          onChange={setTyped}
          waiting={query.isFetching && !query.isFetchingNextPage}
        />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-2 pb-4">
        {term.length < messageSearchTermLength.min ? (
          <p className="px-4 py-6 text-center text-label text-text-2">
            {en(
              'Type two letters or more. Only your own conversations are searched.',
              'Escribe dos letras o más. Solo se busca en tus conversaciones.',
            )}
          </p>
        ) : (
          <Results term={term} query={query} onSelect={onSelect} />
        )}
      </div>
    </div>
  )
}

type ResultsProps = {
  term: string
  query: ReturnType<typeof useInfiniteQuery<OperationOutput<typeof searchMessagesEndpoint>>>
  onSelect: () => void
}

function Results({ term, query, onSelect }: ResultsProps) {
  const { data, isPending, hasNextPage, isFetchingNextPage, isFetchNextPageError } = query
  if (isPending)
    return (
      <SkeletonRegion>
        {['a', 'b', 'c'].map((row) => (
          <PersonSkeleton key={row} avatar="size-11" className="min-h-18 px-3 py-2.5" />
        ))}
      </SkeletonRegion>
    )
  if (!data)
    return <ErrorState text={en('We couldn’t search.', 'No pudimos buscar.')} onRetry={query.refetch} />
  const found = data.pages.flatMap(({ documents }) => documents)
  return (
    <>
      <p
        role="status"
        className={found.length > 0 ? 'sr-only' : 'px-4 py-6 text-center text-label text-text-2'}
      >
        {found.length > 0
          ? en(
              `${found.length} ${found.length === 1 ? 'message' : 'messages'} found`,
              `${found.length} ${found.length === 1 ? 'mensaje encontrado' : 'mensajes encontrados'}`,
            )
          : hasNextPage
            ? en('Nothing found in your newest messages.', 'No hay nada en tus mensajes más recientes.')
            : en('No messages found.', 'No encontramos mensajes.')}
      </p>
      {found.length > 0 && (
        <ul aria-label={en('Search results', 'Resultados de la búsqueda')}>
          {found.map((one) => (
            <Row key={one.message.$id} {...one} term={term} onSelect={onSelect} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <div className="flex flex-col items-center gap-2 pt-3">
          {isFetchNextPageError && (
            <p role="alert" className="text-label text-danger">
              {en('That didn’t work. Try again.', 'No funcionó. Inténtalo de nuevo.')}
            </p>
          )}
          <Button
            kind="outline"
            size="sm"
            busy={isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {en('Search further back', 'Buscar más atrás')}
          </Button>
        </div>
      )}
    </>
  )
}

type RowProps = OperationOutput<typeof searchMessagesEndpoint>['documents'][number] & {
  term: string
  onSelect: () => void
}

function Row({ message, conversation, term, onSelect }: RowProps) {
  const me = useSignedInMember()
  const { before, found, after } = splitAtSearchMatch(message.content, term)
  return (
    <li>
      <Link
        to={screenPaths.chat(conversation.$id)}
        state={{ message: message.$id }}
        onClick={onSelect}
        className="flex min-h-18 items-center gap-3 rounded-photo px-3 py-2.5 hover:bg-sunken focus-visible:rounded-photo focus-visible:-outline-offset-2"
      >
        <Avatar person={conversation.other} size={44} />
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline gap-2">
            <span className="truncate leading-[1.25rem] font-[640]">{conversation.other.name}</span>
            <span className="ml-auto flex-none text-micro text-text-2">
              <RelativeTime at={message.$createdAt} />
            </span>
          </span>
          <span dir="auto" className="line-clamp-2 text-label wrap-anywhere text-text-2">
            {message.senderId === me.$id && en('You: ', 'Tú: ')}
            {before}
            <mark className="bg-transparent font-[700] text-text underline underline-offset-3">{found}</mark>
            {after}
          </span>
        </span>
      </Link>
    </li>
  )
}
