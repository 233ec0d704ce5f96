import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { en } from '#contract/language.ts'
import type { PrivacySettings } from '#contract/people/privacy-settings.ts'
import { privacyQueryKeys } from '#web/api/query-keys.ts'
import { SettingsBox, SettingsRowLink } from '#web/features/account/settings/settings-box-and-rows.tsx'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { commenterChoices, commenterChoiceText } from '#web/features/comments/commenter-choices.ts'
import { communityQuery } from '#web/features/community/queries.ts'
import { QuickExitSettingsBox } from '#web/features/quick-exit/quick-exit-settings-box.tsx'
import { formatNumber } from '#web/format-number.ts'
import { RadioOption } from '#web/forms/radio-option.tsx'
import { Switch } from '#web/forms/switch.tsx'
import { getListDialogLink } from '#web/navigation/use-list-dialog-state.ts'
import { screenPaths } from '#web/paths.ts'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useUpdatePrivacySettings } from './mutations.ts'
import { privacySettingsQuery } from './queries.ts'
import { SwitchToPrivateDialog, SwitchToPublicDialog } from './switch-privacy-dialogs.tsx'

export function PrivacySection() {
  const query = useQuery(privacySettingsQuery)
  const { data: community } = useQuery(communityQuery)
  return (
    <>
      <QueryView query={query} skeleton={<BoxesSkeleton />} noticeClassName="mb-3.5">
        {(settings) => (
          <>
            <AccountBox settings={settings} />
            <ListsBox settings={settings} />
            <MessagesBox settings={settings} />
            <ChatBox settings={settings} />
            <CommentsBox settings={settings} />
            <PhotosBox settings={settings} />
            {community?.registration === 'approval' && <ApplicantsBox settings={settings} />}
          </>
        )}
      </QueryView>
      {/* These boxes appear last, because content that loads above them later would move them under the member's
          finger. */}
      {!query.isLoading && (
        <>
          <PeopleBox followerCount={query.data?.followerCount} />
          {query.data && <QuickExitSettingsBox settings={query.data} />}
          <SettingsBox title={en('Reports and administration', 'Denuncias y administración')}>
            <ul>
              <SettingsRowLink
                to={screenPaths.settingsPage('reports')}
                label={en('Your reports', 'Tus denuncias')}
                text={en('Your reports and their outcome.', 'Tus denuncias y su resultado.')}
              />
              <SettingsRowLink
                to={screenPaths.operatorActs()}
                label={en('What operators have done', 'Lo que han hecho las operadoras')}
                text={en('Without names.', 'Sin nombres.')}
              />
            </ul>
          </SettingsBox>
        </>
      )}
    </>
  )
}

function AccountBox({ settings }: { settings: PrivacySettings }) {
  const { isPrivate, isListed, onPlacePages, followRequestCount } = settings
  const client = useQueryClient()
  const choose = useUpdatePrivacySettings()
  const [confirming, setConfirming] = useState<'private' | 'public'>()

  function ask() {
    setConfirming(isPrivate ? 'public' : 'private')
    void client.invalidateQueries({ queryKey: privacyQueryKeys.settings })
  }

  return (
    <>
      <SettingsBox title={en('Your account', 'Tu cuenta')}>
        <SwitchRow
          label={en('Private account', 'Cuenta privada')}
          text={en(
            'People ask to follow you. Only people you approve see your posts and their photos. Your groups still see what you post there.',
            'Las demás piden seguirte. Solo quienes aceptes ven tus publicaciones y sus fotos. Tus grupos siguen viendo lo que publicas allí.',
          )}
          checked={isPrivate}
          onChange={ask}
        />
        {isPrivate && (
          <ul>
            <SettingsRowLink
              to={screenPaths.followRequests()}
              label={en('Follow requests', 'Solicitudes para seguirte')}
            >
              {followRequestCount > 0 && <FollowRequestNumber count={followRequestCount} />}
            </SettingsRowLink>
          </ul>
        )}
        <SwitchRow
          label={en('Show me in People and search', 'Mostrarme en Personas y en la búsqueda')}
          text={en(
            'When off, only people with the link to your profile find it.',
            'Si está desactivado, solo te encuentra quien tenga el enlace a tu perfil.',
          )}
          checked={isListed}
          busy={choose.isPending}
          onChange={(isListed) => choose.mutate({ isListed })}
        />
        <SwitchRow
          label={en(
            'Keep my posts off place pages',
            'Dejar mis publicaciones fuera de las páginas de lugares',
          )}
          text={en(
            'Posts appear on the page of their place a day later. When on, others never see yours there.',
            'Las publicaciones aparecen en la página de su lugar un día después. Si está activado, las demás nunca ven allí las tuyas.',
          )}
          checked={!onPlacePages}
          busy={choose.isPending}
          onChange={(off) => choose.mutate({ onPlacePages: !off })}
        />
      </SettingsBox>
      <SwitchToPrivateDialog
        settings={settings}
        open={confirming === 'private'}
        onClose={() => setConfirming(undefined)}
      />
      <SwitchToPublicDialog
        settings={settings}
        open={confirming === 'public'}
        onClose={() => setConfirming(undefined)}
      />
    </>
  )
}

const FollowRequestNumber = ({ count }: { count: number }) => (
  <span className="min-w-5.5 rounded-full bg-brand px-1.5 text-center text-micro leading-[1.375rem] font-bold text-on-brand tabular-nums forced-color-adjust-none">
    {count}
  </span>
)

type SwitchRowProps = {
  label: string
  text: string
  checked: boolean
  busy?: boolean
  onChange: (checked: boolean) => void
}

function SwitchRow({ label, text, ...control }: SwitchRowProps) {
  const id = useId()
  return (
    <div className="flex items-start gap-4 py-3.5">
      <div className="min-w-0 flex-1">
        <p id={id} className="font-[620]">
          {label}
        </p>
        <p className="max-w-[56ch] text-pretty text-meta text-text-2">{text}</p>
      </div>
      <Switch {...control} labelledBy={id} />
    </div>
  )
}

const senders = [
  { value: 'everyone', label: en('Everyone', 'Todas') },
  {
    value: 'ask',
    label: en(
      'Everyone, but people I don’t follow ask first',
      'Todas, pero quienes no sigo tienen que pedírmelo',
    ),
    text: en(
      'They wait under Message requests. They can’t see if you read them.',
      'Esperan en Solicitudes de mensaje. No pueden ver si los lees.',
    ),
  },
  { value: 'followed', label: en('People I follow', 'Personas a las que sigo') },
  { value: 'nobody', label: en('Nobody new', 'Ninguna persona nueva') },
] as const

function MessagesBox({ settings: { messagesFrom } }: { settings: PrivacySettings }) {
  const choose = useUpdatePrivacySettings()
  const title = en('Who can write to me', 'Quién puede escribirme')
  return (
    <SettingsBox
      title={title}
      text={en('Existing conversations are not affected.', 'Tus conversaciones actuales no cambian.')}
    >
      <div role="radiogroup" aria-label={title} className="pb-1.5">
        {senders.map(({ value, ...words }) => (
          <RadioOption
            key={value}
            name="messages-from"
            {...words}
            checked={value === messagesFrom}
            onChoose={() => choose.mutate({ messagesFrom: value })}
          />
        ))}
      </div>
    </SettingsBox>
  )
}

function ChatBox({ settings: { showsTyping, showsReceipts } }: { settings: PrivacySettings }) {
  const choose = useUpdatePrivacySettings()
  return (
    <SettingsBox
      title={en('In conversations', 'En las conversaciones')}
      text={en(
        'Each of these works only if you both have it on.',
        'Cada opción funciona solo si las dos la tienen activada.',
      )}
    >
      <SwitchRow
        label={en('Show when I’m typing', 'Mostrar cuándo estoy escribiendo')}
        text={en(
          'Shown while you write, and never stored.',
          'Se ve mientras escribes, y no se guarda en ningún sitio.',
        )}
        checked={showsTyping}
        busy={choose.isPending}
        onChange={(showsTyping) => choose.mutate({ showsTyping })}
      />
      <SwitchRow
        label={en('Show when I’ve read messages', 'Mostrar cuándo he leído los mensajes')}
        text={en(
          'When off, you don’t see when others have read yours either.',
          'Si está desactivado, tampoco ves cuándo leyeron los tuyos.',
        )}
        checked={showsReceipts}
        busy={choose.isPending}
        onChange={(showsReceipts) => choose.mutate({ showsReceipts })}
      />
    </SettingsBox>
  )
}

function CommentsBox({ settings: { commentsFrom } }: { settings: PrivacySettings }) {
  const choose = useUpdatePrivacySettings()
  const title = en('Who can comment', 'Quién puede comentar')
  return (
    <SettingsBox
      title={title}
      text={en(
        'On new posts. You can change it for each post.',
        'En publicaciones nuevas. Puedes cambiarlo en cada publicación.',
      )}
    >
      <div role="radiogroup" aria-label={title} className="pb-1.5">
        {commenterChoices.map(({ value, label }) => (
          <RadioOption
            key={value}
            name="comments-from"
            label={label}
            text={commenterChoiceText(value)}
            checked={value === commentsFrom}
            onChoose={() => choose.mutate({ commentsFrom: value })}
          />
        ))}
      </div>
    </SettingsBox>
  )
}

const namers = [
  { value: 'followed', label: en('People I follow', 'Personas a las que sigo') },
  { value: 'everyone', label: en('Everyone', 'Todas') },
  { value: 'nobody', label: en('Nobody', 'Nadie') },
] as const

function PhotosBox({ settings: { picturedBy } }: { settings: PrivacySettings }) {
  const choose = useUpdatePrivacySettings()
  const title = en('Who can tag me', 'Quién puede etiquetarme')
  return (
    <SettingsBox
      title={title}
      text={en(
        'In photos. We ask you each time, and nobody sees your name until you agree.',
        'En fotos. Te preguntamos cada vez, y nadie ve tu nombre hasta que aceptes.',
      )}
    >
      <div role="radiogroup" aria-label={title} className="pb-1.5">
        {namers.map(({ value, label }) => (
          <RadioOption
            key={value}
            name="pictured-by"
            label={label}
            checked={value === picturedBy}
            onChoose={() => choose.mutate({ picturedBy: value })}
          />
        ))}
      </div>
      <ul>
        <SettingsRowLink
          to={screenPaths.photosOfYou()}
          label={en('Photos of you', 'Fotos de ti')}
          text={en(
            'Photos you are tagged in. Only you see this list.',
            'Fotos en las que te etiquetaron. Solo tú ves esta lista.',
          )}
        />
      </ul>
    </SettingsBox>
  )
}

function ApplicantsBox({ settings: { takesVouchRequests } }: { settings: PrivacySettings }) {
  const choose = useUpdatePrivacySettings()
  return (
    <SettingsBox title={en('People who want to join', 'Quienes quieren unirse')}>
      <SwitchRow
        label={en('Ask me about applicants who name me', 'Preguntarme por quienes dicen que las conozco')}
        text={en(
          'When off, we never ask you, and nobody finds out.',
          'Si está desactivado, no te preguntamos, y nadie lo sabrá.',
        )}
        checked={takesVouchRequests}
        busy={choose.isPending}
        onChange={(takesVouchRequests) => choose.mutate({ takesVouchRequests })}
      />
    </SettingsBox>
  )
}

const audiences = [
  { value: 'everyone', label: en('Everyone', 'Todas') },
  { value: 'followers', label: en('My followers', 'Mis seguidoras') },
  {
    value: 'me',
    label: en('Only me', 'Solo yo'),
    text: en('The numbers are hidden too.', 'Los números también se ocultan.'),
  },
] as const

function ListsBox({ settings: { isPrivate, listsFor } }: { settings: PrivacySettings }) {
  const choose = useUpdatePrivacySettings()
  const title = en(
    'Who can see my followers and who I follow',
    'Quién puede ver mis seguidoras y a quién sigo',
  )
  const effective = isPrivate && listsFor === 'everyone' ? 'followers' : listsFor
  return (
    <SettingsBox title={title}>
      <div role="radiogroup" aria-label={title} className="pb-1.5">
        {audiences.map(({ value, label, ...words }) => (
          <RadioOption
            key={value}
            name="lists-for"
            label={label}
            {...words}
            {...(isPrivate &&
              value === 'everyone' && {
                disabled: true,
                text: en(
                  'Not available while your account is private.',
                  'No está disponible mientras tu cuenta sea privada.',
                ),
              })}
            checked={value === effective}
            onChoose={() => choose.mutate({ listsFor: value })}
          />
        ))}
      </div>
    </SettingsBox>
  )
}

function PeopleBox({ followerCount }: { followerCount: number | undefined }) {
  const me = useSignedInMember()
  return (
    <SettingsBox title={en('People', 'Personas')}>
      <ul className="divide-y divide-border">
        <SettingsRowLink
          to={screenPaths.settingsPage('blocked')}
          label={en('Blocked', 'Bloqueadas')}
          text={en('You can’t see or contact each other.', 'No pueden verse ni escribirse.')}
        />
        <SettingsRowLink
          to={screenPaths.settingsPage('quiet')}
          label={en('Muted and restricted', 'Silenciadas y restringidas')}
          text={en(
            'Limits what they can do. They won’t be notified.',
            'Limita lo que pueden hacer. No lo sabrán.',
          )}
        />
        <SettingsRowLink
          to={{ pathname: screenPaths.profile(me.$id), ...getListDialogLink('followers') }}
          label={en('Your followers', 'Tus seguidoras')}
          text={en('Remove anyone without telling her.', 'Quita a quien quieras sin avisarle.')}
        >
          {followerCount !== undefined && <RowNumber>{formatNumber(followerCount)}</RowNumber>}
        </SettingsRowLink>
      </ul>
    </SettingsBox>
  )
}

const RowNumber = ({ children }: { children: ReactNode }) => (
  <span className="text-label font-semibold text-text-2 tabular-nums">{children}</span>
)

function BoxesSkeleton() {
  return (
    <div className="mb-4 space-y-4">
      <Skeleton className="h-56 rounded-card" />
      <Skeleton className="h-56 rounded-card" />
      <Skeleton className="h-52 rounded-card" />
    </div>
  )
}
