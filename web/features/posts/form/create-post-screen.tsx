import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ImageIcon } from 'lucide-react'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { deletePostEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import { withBrowserLock } from '#web/api/browser-lock.ts'
import { callApiOperation } from '#web/api/client.ts'
import { generateDocumentId } from '#web/api/ids.ts'
import { postDraftsQueryKey, postQueryKeys } from '#web/api/query-keys.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { useImageUploads } from '#web/forms/use-image-uploads.ts'
import { useGoBack } from '#web/navigation/use-go-back.ts'
import { skipNextScrollRestoration } from '#web/navigation/use-scroll-restoration.ts'
import { screenPaths } from '#web/paths.ts'
import { ErrorCard } from '#web/ui/error-state.tsx'
import { preparePhoto } from '#web/ui/images/prepare-photo.ts'
import { PageTitle } from '#web/ui/page-title.tsx'
import { toast } from '#web/ui/toast/toast-store.ts'
import { describePostDraft } from '../drafts/describe-post-draft.ts'
import { InterruptedDraftNotice } from '../drafts/interrupted-draft-notice.tsx'
import { postDraftLockName } from '../drafts/post-draft-database.ts'
import {
  maxPostDrafts,
  openPostDraftStore,
  type PostDraftStore,
  type PostDraftSummary,
} from '../drafts/post-draft-store.ts'
import { PostDraftsButton } from '../drafts/post-drafts-button.tsx'
import { postDraftsQuery } from '../drafts/queries.ts'
import { useDraftAutosave } from '../drafts/use-draft-autosave.ts'
import { WaitingPosts } from '../outbox/waiting-posts.tsx'
import { consumeSharedPhoto } from './consume-shared-photo.ts'
import { fetchPostIfReadable, useCreatePost } from './mutations.ts'
import { PostForm } from './post-form.tsx'
import type { CreatePostNavigationState } from './post-form-navigation-state.ts'
import {
  createEmptyPostFormDraft,
  type PostFormDraft,
  type PostFormValues,
  toPostDraftPhoto,
} from './post-form-schema.ts'
import { PostFormSkeleton } from './post-form-skeleton.tsx'
import { type GroupOption, useGroupOptions } from './use-group-options.ts'

type OpenedDraft = { id: string; content: PostFormDraft; isShared?: boolean }

export function CreatePostScreen() {
  const choices = useGroupOptions()
  const { key, state, search } = useLocation()
  const { groupId, from } = (state as CreatePostNavigationState) ?? {}
  const client = useQueryClient()
  const { id: me } = useSignedInMember()
  const store = useMemo(() => openPostDraftStore(me), [me])
  const { data: drafts = [] } = useQuery(postDraftsQuery(store))
  const [opened, setOpened] = useState<OpenedDraft & { at: string }>()
  const [newId, setNewId] = useState(generateDocumentId)
  const [dismissed, setDismissed] = useState<string>()
  const leaveCurrent = useRef<() => Promise<unknown>>(undefined)
  // Preloads the notice about waiting posts, which could not load offline.
  useEffect(() => void import('#web/features/offline/offline-home-notices.tsx').catch(() => {}), [])
  useEffect(() => {
    if (search !== '?shared=1') return
    consumeSharedPhoto().then(
      (photo) => {
        if (!photo) return
        const content = { ...createEmptyPostFormDraft(''), photos: [toPostDraftPhoto(photo)] }
        setOpened({ id: generateDocumentId(), content, at: key, isShared: true })
      },
      ({ message }: Error) => toast({ text: message, kind: 'destructive' }),
    )
  }, [search, key])
  // A draft of an earlier visit to this screen is no longer open.
  const draft = opened?.at === key ? opened : undefined
  const formId = draft?.id ?? `${newId}${key}`
  const others = drafts.filter(({ id, open, waiting }) => id !== formId && !open && !waiting)
  const waiting = drafts.filter((one) => one.id !== formId && one.waiting)
  const interrupted = draft ? undefined : others.find(({ putAway, id }) => !putAway && id !== dismissed)
  const reload = () => client.invalidateQueries({ queryKey: postDraftsQueryKey })

  async function open(id: string) {
    const content = await store.read(id)
    if (!content) return void reload()
    await leaveCurrent.current?.()
    setNewId(generateDocumentId())
    setOpened({ id, content, at: key })
    void reload()
  }

  /** If the post is being sent now, it will no longer exist as a draft. */
  async function openWaiting(id: string) {
    await withBrowserLock(postDraftLockName(id), () => store.setWaiting(id, null))
    await open(id)
  }

  async function remove(id: string) {
    await store.remove(id)
    await reload()
  }

  /** An earlier attempt may have created the post although its response was lost. */
  async function removeWaiting(id: string) {
    const { uploaded = {} } = (await store.readWaiting(id)) ?? {}
    const mayBeStored = Object.keys(uploaded).length > 0
    if (!navigator.onLine && mayBeStored) return void toast({ text: mayBePublished, kind: 'destructive' })
    await remove(id)
    if (!navigator.onLine) return
    try {
      // This lock waits for a running attempt.
      if (!(await withBrowserLock(postDraftLockName(id), () => fetchPostIfReadable(id)))) return
      await callApiOperation(deletePostEndpoint, { postId: id })
      void client.invalidateQueries({ queryKey: postQueryKeys.all })
    } catch {
      toast({ text: mayBePublished, kind: 'destructive' })
    }
  }

  const wanted = draft?.content.groupId || groupId
  return (
    <div className="mx-auto max-w-[600px] two:max-w-[920px]">
      <div className="mx-1 mt-1 mb-3.5 flex min-h-10 items-center md:mx-0 md:mt-0 md:mb-[22px] md:min-h-11">
        <PageTitle title={en('Create Post', 'Crear publicación')} />
        <PostDraftsButton drafts={others} onOpen={(id) => void open(id)} onDelete={(id) => void remove(id)} />
      </div>
      {draft?.isShared && <SharedPhotoNotice />}
      <WaitingPosts
        posts={waiting}
        onOpen={(id) => void openWaiting(id)}
        onDelete={(id) => void removeWaiting(id)}
      />
      {interrupted && (
        <InterruptedDraftNotice
          draft={interrupted}
          onContinue={() => void open(interrupted.id)}
          onDismiss={() => setDismissed(interrupted.id)}
        />
      )}
      {wanted && !isSettled(choices, wanted) ? (
        <Waiting query={choices} />
      ) : (
        <NewPost
          key={formId}
          formId={formId}
          draft={draft?.content}
          holdsUploads={draft?.isShared === true}
          store={store}
          others={others}
          leaveRef={leaveCurrent}
          onDraftsChange={reload}
          groups={choices.data ?? []}
          wantedGroup={groupId}
          from={from}
        />
      )}
    </div>
  )
}

/** An old list may lack a group that the member has joined. The form for that group must not start as public. */
const isSettled = ({ data, isFetchedAfterMount, isError }: Choices, groupId: string) =>
  data?.some((group) => group.$id === groupId) || (isFetchedAfterMount && !isError)

type Choices = ReturnType<typeof useGroupOptions>

function Waiting({ query }: { query: Choices }) {
  return query.isError && !query.isFetching ? <ErrorCard onRetry={query.refetch} /> : <PostFormSkeleton />
}

const mayBePublished = en(
  'This post may already be published. Try again when you’re back online.',
  'Puede que esta publicación ya esté publicada. Inténtalo de nuevo cuando tengas conexión.',
)

const SharedPhotoNotice = () => (
  <p role="status" className="mb-3.5 flex gap-3 rounded-tile bg-success-soft px-5 py-4 text-success">
    <ImageIcon aria-hidden size={20} strokeWidth={1.9} className="mt-0.5 flex-none" />
    <span>
      <strong className="font-[680]">{en('Your photo is here.', 'Tu foto está aquí.')}</strong>{' '}
      {en(
        'Nothing is sent until you press Create Post.',
        'No se envía nada hasta que pulses Crear publicación.',
      )}
    </span>
  </p>
)

type NewPostProps = {
  formId: string
  draft: PostFormDraft | undefined
  /** No upload may start until the member posts. */
  holdsUploads: boolean
  store: PostDraftStore
  others: readonly PostDraftSummary[]
  leaveRef: RefObject<(() => Promise<unknown>) | undefined>
  onDraftsChange: () => Promise<void>
  groups: readonly GroupOption[]
  wantedGroup?: string
  from?: string
}

function NewPost(props: NewPostProps) {
  const { formId, draft, holdsUploads, store, others, leaveRef, onDraftsChange, groups, wantedGroup, from } =
    props
  const navigate = useNavigate()
  const goBack = useGoBack(screenPaths.home())
  const uploads = useImageUploads({ prepare: preparePhoto, holds: holdsUploads })
  const create = useCreatePost(uploads, formId)
  const autosave = useDraftAutosave(store, formId)
  useEffect(() => {
    leaveRef.current = autosave.putAway
    return () => {
      leaveRef.current = undefined
    }
  }, [leaveRef, autosave])
  const preselected = groups.find((group) => group.$id === wantedGroup)?.$id ?? ''

  const oldest = others.length >= maxPostDrafts ? others.at(-1) : undefined
  const keeper = {
    change: autosave.change,
    discard: () => void autosave.discard().then(onDraftsChange),
    async save() {
      if (!(await autosave.putAway())) {
        toast({
          text: en(
            'The draft couldn’t be saved on this device.',
            'No pudimos guardar el borrador en este dispositivo.',
          ),
          kind: 'destructive',
        })
        return false
      }
      for (const { id } of others.slice(maxPostDrafts - 1)) await store.remove(id)
      void onDraftsChange()
      toast({ text: en('Draft saved', 'Borrador guardado') })
      return true
    },
    note:
      oldest &&
      en(
        `You have ten drafts. Saving this one replaces the oldest, “${describePostDraft(oldest)}”.`,
        `Tienes diez borradores. Al guardar este se reemplaza el más antiguo, «${describePostDraft(oldest)}».`,
      ),
  }

  /** Waits until the device is online. @returns false if the photos do not fit */
  async function wait({ groupId }: PostFormValues) {
    const groupName = groups.find(({ $id }) => $id === groupId)?.name ?? null
    const waits = await autosave.wait({ groupName, uploaded: {} })
    if (waits) await onDraftsChange()
    return waits
  }

  /**
   * Opens the group's page if the member came from it and posted there, otherwise Home. Adds no duplicate history
   * entry.
   */
  function leaveForm({ groupId }: PostFormValues) {
    const next = groupId && groupId === preselected ? screenPaths.group(groupId) : screenPaths.home()
    if (next !== from) return void navigate(next, { replace: true })
    skipNextScrollRestoration()
    navigate(-1)
  }

  return (
    <PostForm
      initial={createEmptyPostFormDraft(preselected)}
      changed={draft}
      groups={withDraftsGroup(groups, draft)}
      submitLabel={en('Create Post', 'Crear publicación')}
      uploads={uploads}
      onSave={async (values) => {
        if (!navigator.onLine && (await wait(values)))
          return () => void navigate(screenPaths.home(), { replace: true })
        await create.mutateAsync(values)
        keeper.discard()
        return () => leaveForm(values)
      }}
      onCancel={goBack}
      keeper={keeper}
    />
  )
}

/** A draft for a group that the member left must not look public. The server refuses it. */
function withDraftsGroup(
  groups: readonly GroupOption[],
  draft: PostFormDraft | undefined,
): readonly GroupOption[] {
  if (!draft?.groupId || groups.some(({ $id }) => $id === draft.groupId)) return groups
  return [
    ...groups,
    { $id: draft.groupId, name: en('A group you are no longer in', 'Un grupo en el que ya no estás') },
  ]
}
