import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import type { CommunityIdentitySettings } from '#contract/community/community-identity.ts'
import { type AccentName, accentNames, maxAnnouncementLength } from '#contract/community/community-limits.ts'
import { getCommunityLogoPath } from '#contract/community/community-name-and-logo.ts'
import {
  removeCommunityLogoEndpoint,
  setCommunityLogoEndpoint,
  updateCommunityIdentityEndpoint,
} from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import { callApiOperation } from '#web/api/client.ts'
import { uploadPicture } from '#web/api/upload.ts'
import { signedInMemberQuery } from '#web/features/account/signed-in-member.ts'
import { useOperatorMutation } from '#web/features/admin/use-operator-mutation.ts'
import { RefusalAlert } from '#web/features/moderation/refusal-alert.tsx'
import { CharacterCounter } from '#web/forms/character-counter.tsx'
import { LabelledFormField } from '#web/forms/labelled-form-field.tsx'
import { saveWithUpload } from '#web/forms/save-with-upload.ts'
import { TextArea } from '#web/forms/text-area.tsx'
import { showAccent } from '#web/navigation/community-identity.ts'
import { LogoMark } from '#web/ui/brand.tsx'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { explainImageRefusal, useImageDrop } from '#web/ui/images/accept-images.ts'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast/toast-store.ts'
import { communityIdentityQuery } from './queries.ts'

export function CommunityIdentitySection() {
  const query = useQuery(communityIdentityQuery)
  return (
    <QueryView query={query} skeleton={<Skeleton className="h-96" />}>
      {(identity) => (
        <div className="flex flex-col gap-7">
          <LogoField logo={identity.logo} />
          <LooksForm identity={identity} />
        </div>
      )}
    </QueryView>
  )
}

function useShowSaved() {
  const client = useQueryClient()
  return (saved: CommunityIdentitySettings) => {
    client.setQueryData(communityIdentityQuery.queryKey, saved)
    void client.invalidateQueries({ queryKey: signedInMemberQuery.queryKey })
    toast({ text: en('Saved.', 'Guardado.') })
  }
}

function LogoField({ logo }: Pick<CommunityIdentitySettings, 'logo'>) {
  const showSaved = useShowSaved()
  const [refusal, setRefusal] = useState<string>()
  const choosing = useOperatorMutation({
    mutationFn: (file: File) =>
      saveWithUpload(
        file,
        async (picture) => (await uploadPicture(picture)).$id,
        (fileId) => callApiOperation(setCommunityLogoEndpoint, { fileId }),
      ),
    onSuccess: showSaved,
  })
  const removing = useOperatorMutation({
    mutationFn: () => callApiOperation(removeCommunityLogoEndpoint, {}),
    onSuccess: showSaved,
  })
  const { getRootProps, getInputProps } = useImageDrop({
    onChoose(file) {
      setRefusal(undefined)
      removing.reset()
      choosing.mutate(file)
    },
    onRefuse: setRefusal,
    disabled: choosing.isPending,
  })
  return (
    <LabelledFormField
      label={en('Logo', 'Logotipo')}
      hint={en(
        'A square PNG or JPG. It shows in the sidebar, at sign-in and on phones’ home screens.',
        'Un PNG o JPG cuadrado. Se ve en la barra lateral, al entrar y en la pantalla de inicio del teléfono.',
      )}
      error={refusal}
      plainError={explainImageRefusal(refusal)}
    >
      {(control) => (
        <>
          <div {...getRootProps({ role: 'presentation', 'aria-disabled': undefined })}>
            <input {...getInputProps({ id: control.id, 'aria-label': undefined })} />
            <div className="flex flex-wrap items-center gap-4">
              {logo ? (
                <img
                  src={getCommunityLogoPath(logo)}
                  alt={en('The community’s logo', 'El logotipo de la comunidad')}
                  width={192}
                  height={192}
                  className="size-20 flex-none rounded-[30%] object-cover"
                />
              ) : (
                <LogoMark className="size-20" />
              )}
              <div className="flex flex-wrap gap-2.5">
                <Button kind="soft" busy={choosing.isPending} aria-describedby={control['aria-describedby']}>
                  {logo
                    ? en('Replace logo', 'Cambiar el logotipo')
                    : en('Choose a logo', 'Elegir un logotipo')}
                </Button>
                {logo && (
                  <Button
                    kind="ghost"
                    busy={removing.isPending}
                    onClick={(event) => {
                      event.stopPropagation()
                      choosing.reset()
                      removing.mutate()
                    }}
                  >
                    {en('Remove logo', 'Quitar el logotipo')}
                  </Button>
                )}
              </div>
            </div>
          </div>
          <RefusalAlert error={choosing.error ?? removing.error} />
          {choosing.dialog}
          {removing.dialog}
        </>
      )}
    </LabelledFormField>
  )
}

const accentLabels: Record<AccentName, string> = {
  coral: en('Coral', 'Coral'),
  clay: en('Clay', 'Barro'),
  olive: en('Olive', 'Oliva'),
  forest: en('Forest', 'Bosque'),
  lagoon: en('Lagoon', 'Laguna'),
  sea: en('Sea', 'Mar'),
  night: en('Night', 'Noche'),
  violet: en('Violet', 'Violeta'),
}

function LooksForm({ identity }: { identity: CommunityIdentitySettings }) {
  const showSaved = useShowSaved()
  const [accent, setAccent] = useState(identity.accent)
  const [announcement, setAnnouncement] = useState(identity.announcement)
  // Leaving without saving restores the saved accent.
  useEffect(() => {
    showAccent(accent ?? undefined)
    return () => showAccent(identity.accent ?? undefined)
  }, [accent, identity.accent])
  const saving = useOperatorMutation({
    mutationFn: () => callApiOperation(updateCommunityIdentityEndpoint, { accent, announcement }),
    onSuccess: showSaved,
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    saving.mutate()
  }

  return (
    <>
      <form onSubmit={submit} className="flex flex-col gap-5">
        <fieldset>
          <legend className="mb-[7px] text-label font-[620]">{en('Accent colour', 'Color')}</legend>
          <div className="card grid grid-cols-[repeat(auto-fill,minmax(min(100%,8.5rem),1fr))] gap-x-2 px-4 py-1.5 md:px-5">
            {[null, ...accentNames].map((name) => (
              <AccentOption
                key={name}
                name={name}
                checked={name === accent}
                onChoose={() => setAccent(name)}
              />
            ))}
          </div>
          <p className="mt-1.5 text-meta text-text-2">
            {en(
              'For buttons and links. Every choice is easy to read, in light and dark.',
              'Para botones y enlaces. Cada uno se lee bien, en claro y en oscuro.',
            )}
          </p>
        </fieldset>
        <LabelledFormField
          label={en('Announcement', 'Anuncio')}
          hint={en(
            'Every member sees it on Home until she dismisses it. A new text is shown again. If you leave it empty, there is no announcement.',
            'Cada integrante lo ve en Inicio hasta que lo descarta. Un texto nuevo se muestra otra vez. Si lo dejas vacío, no hay anuncio.',
          )}
          counter={<CharacterCounter length={announcement.trim().length} max={maxAnnouncementLength} />}
        >
          {(control) => (
            <TextArea
              {...control}
              rows={4}
              value={announcement}
              onChange={({ target }) => setAnnouncement(target.value)}
            />
          )}
        </LabelledFormField>
        <RefusalAlert error={saving.error} />
        <Button type="submit" className="self-start" busy={saving.isPending}>
          {en('Save', 'Guardar')}
        </Button>
      </form>
      {saving.dialog}
    </>
  )
}

type AccentOptionProps = { name: AccentName | null; checked: boolean; onChoose: () => void }

function AccentOption({ name, checked, onChoose }: AccentOptionProps) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-2.5 py-1.5 text-label">
      <input type="radio" name="accent" checked={checked} onChange={onChoose} className="peer sr-only" />
      <span
        aria-hidden
        data-accent={name}
        className={cx(
          'accent-swatch size-8 flex-none rounded-full outline-offset-2 peer-focus-visible:outline-3 peer-focus-visible:outline-focus',
          checked && 'ring-3 ring-text ring-offset-2 ring-offset-surface forced-colors:outline-3',
        )}
      />
      <span className={cx('min-w-0 wrap-anywhere', checked && 'font-[680]')}>
        {name ? accentLabels[name] : en('Pomegranate', 'Granada')}
      </span>
    </label>
  )
}
