import { type QueryClient, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { endWelcomeEndpoint } from '#contract/generated-endpoints.ts'
import type { Group } from '#contract/groups/groups.ts'
import { en } from '#contract/language.ts'
import { callApiOperation } from '#web/api/client.ts'
import { type SignedInMember, signedInMemberQuery } from '#web/features/account/signed-in-member.ts'
import { formatMemberCount } from '#web/features/groups/format-counts.ts'
import { JoinGroupButton } from '#web/features/groups/join-group-button.tsx'
import { PersonRow } from '#web/features/people/person-row.tsx'
import { useUpdateProfile } from '#web/features/people/use-update-profile.ts'
import { useImageUpload } from '#web/forms/use-image-uploads.ts'
import { PersonSkeleton } from '#web/ui/avatar-with-name.tsx'
import { Button } from '#web/ui/button.tsx'
import { AvatarPicker } from '#web/ui/images/avatar-picker.tsx'
import { UploadProgress } from '#web/ui/images/upload-progress.tsx'
import { Modal } from '#web/ui/modal.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { HouseRules } from './house-rules-screen.tsx'
import { communityQuery, suggestedGroupsQuery, suggestedPeopleQuery } from './queries.ts'

export function WelcomeSheet({ me }: { me: SignedInMember }) {
  const id = useId()
  const client = useQueryClient()
  const title = useRef<HTMLHeadingElement>(null)
  const { data: community } = useQuery(communityQuery)
  const people = useQuery(suggestedPeopleQuery)
  const groups = useQuery(suggestedGroupsQuery)
  const { pathname } = useLocation()
  const [openedAt] = useState(pathname)

  const end = () => endWelcome(client)

  // The sheet would cover a page opened by a link in it.
  const left = pathname !== openedAt
  useEffect(() => {
    if (left) endWelcome(client)
  }, [left, client])

  return (
    <Modal
      open
      role="dialog"
      labelledBy={`${id}-title`}
      firstFocus={title}
      onClose={end}
      className="w-[min(520px,calc(100%-32px))]"
    >
      <div className="flex max-h-[min(88dvh,760px)] flex-col">
        <div className="min-h-0 flex-1 space-y-6 overflow-y-auto px-5 pt-6 pb-5 md:px-7 md:pt-7">
          <header>
            <h2
              ref={title}
              id={`${id}-title`}
              tabIndex={-1}
              className="heading text-[1.375rem] leading-[1.75rem] outline-none wrap-anywhere"
            >
              {en(`Welcome, ${me.name}`, `Hola, ${me.name}`)}
            </h2>
            <p className="mt-1.5 text-pretty text-text-2">
              {en(
                'A few things to get you started. You can do all of them later.',
                'Unas cuantas cosas para empezar. Todas se pueden hacer después.',
              )}
            </p>
          </header>
          <Section title={en('Your photo', 'Tu foto')}>
            <Photo me={me} />
          </Section>
          <Suggestions
            title={en('People to follow', 'A quién seguir')}
            query={people}
            skeleton={['a', 'b', 'c'].map((row) => (
              <PersonSkeleton key={row} lines={['h-3 w-1/2', 'h-2.5 w-3/4']} className="p-2" />
            ))}
          >
            {(documents) => (
              <ul className="-mx-2">
                {documents.map((person) => (
                  <PersonRow key={person.$id} person={person} />
                ))}
              </ul>
            )}
          </Suggestions>
          <Suggestions
            title={en('A group', 'Un grupo')}
            query={groups}
            skeleton={<PersonSkeleton lines={['h-3 w-1/2', 'h-2.5 w-3/4']} />}
          >
            {(documents) => documents.map((group) => <SuggestedGroup key={group.$id} group={group} />)}
          </Suggestions>
          {community && community.rules.length > 0 && (
            <Section title={en('The house rules', 'Las normas de la casa')}>
              <HouseRules rules={community.rules} />
            </Section>
          )}
        </div>
        <footer className="flex justify-end gap-2.5 border-t border-border px-5 py-4 md:px-7">
          <Button kind="quiet" onClick={end}>
            {en('Not now', 'Ahora no')}
          </Button>
          <Button onClick={end}>{en('Done', 'Listo')}</Button>
        </footer>
      </div>
    </Modal>
  )
}

/** If the request fails, the sheet reappears on the next visit. */
function endWelcome(client: QueryClient): void {
  client.setQueryData<SignedInMember>(
    signedInMemberQuery.queryKey,
    (member) => member && { ...member, welcome: undefined },
  )
  callApiOperation(endWelcomeEndpoint, {}).catch(() => {})
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const titleId = useId()
  return (
    <section aria-labelledby={titleId}>
      <h3 id={titleId} className="mb-2 font-[680]">
        {title}
      </h3>
      {children}
    </section>
  )
}

function Photo({ me }: { me: SignedInMember }) {
  const id = useId()
  const upload = useImageUpload()
  const update = useUpdateProfile(me.$id, upload.send)
  const [file, setFile] = useState<File | null>(null)
  const [refusal, setRefusal] = useState<string>()

  function save(photo: File) {
    setRefusal(undefined)
    setFile(photo)
    update.mutate({ photo, name: me.name, bio: me.bio })
  }

  return (
    <>
      <AvatarPicker
        id={id}
        person={me}
        file={update.isError && upload.state.phase === 'idle' ? null : file}
        onChoose={save}
        onRefuse={setRefusal}
        disabled={update.isPending}
        aria-invalid={refusal !== undefined}
        aria-describedby={`${id}-refusal`}
      />
      <p id={`${id}-refusal`} role="alert" className="mt-1 text-label text-danger empty:hidden">
        {refusal}
      </p>
      {file && upload.state.phase !== 'idle' && (
        <UploadProgress {...upload.state} onResume={() => save(file)} onCancel={upload.cancel} />
      )}
    </>
  )
}

type SuggestionsProps<Row> = {
  title: string
  query: UseQueryResult<{ documents: Row[] }>
  skeleton: ReactNode
  children: (documents: Row[]) => ReactNode
}

function Suggestions<Row>({ title, query, skeleton, children }: SuggestionsProps<Row>) {
  if (query.data?.documents.length === 0) return null
  return (
    <Section title={title}>
      <QueryView query={query} skeleton={skeleton}>
        {({ documents }) => children(documents)}
      </QueryView>
    </Section>
  )
}

function SuggestedGroup({ group }: { group: Group }) {
  const nameId = useId()
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2.5">
      <div className="min-w-0 flex-1 basis-[11rem]">
        <p id={nameId} className="font-[640] wrap-anywhere">
          {group.name}
        </p>
        <p className="mt-0.5 flex flex-wrap items-center gap-x-1.5 text-meta text-text-2">
          <Lock aria-hidden size={16} strokeWidth={2} className="flex-none" />
          {en('Private Group', 'Grupo privado')} · {formatMemberCount(group.memberCount)}
        </p>
      </div>
      <div className="flex-none">
        <JoinGroupButton group={group} describedBy={nameId} />
      </div>
    </div>
  )
}
