{{- define "giftwire.labels" -}}
app.kubernetes.io/name: giftwire
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end }}

{{- define "giftwire.selector" -}}
app.kubernetes.io/name: giftwire
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end }}

{{- define "giftwire.image" -}}
{{- $repository := required "Set image.repository to the image that you have built (docs/deploy.md)." .Values.image.repository -}}
{{- if .Values.image.digest -}}
{{ $repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ $repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end }}

{{- /* The pod of every component: arguments root, component, role, command, secretName, resources, and whether it has probes. */ -}}
{{- define "giftwire.pod" -}}
{{- $values := .root.Values -}}
{{- $backups := and (eq .role "worker") $values.backups.claimName -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with $values.image.pullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with $values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with $values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- if .served }}
# A stopping node says so at /health/ready, serves on until no proxy sends more, and finishes what it began.
terminationGracePeriodSeconds: 45
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{ include "giftwire.selector" . | nindent 8 }}
{{- else }}
restartPolicy: Never
{{- end }}
containers:
  - name: giftwire
    image: {{ include "giftwire.image" .root }}
    imagePullPolicy: {{ $values.image.pullPolicy }}
    args: [{{ .command }}]
    env:
      - { name: GIFTWIRE_ENV, value: production }
      - { name: GIFTWIRE_ROLE, value: {{ .role }} }
      - { name: GIFTWIRE_PUBLIC_URL, value: {{ required "Set publicUrl to the URL that recipients and users open." $values.publicUrl | quote }} }
      - { name: GIFTWIRE_TRUSTED_PROXIES, value: {{ $values.trustedProxies | quote }} }
      {{- if $backups }}
      - { name: GIFTWIRE_BACKUP_FOLDER, value: /backups }
      {{- end }}
      {{- range $name, $value := $values.settings }}
      - { name: {{ $name }}, value: {{ $value | quote }} }
      {{- end }}
      {{- range $name, $key := $values.secret.keys }}
      - { name: {{ $name }}_FILE, value: /run/secrets/giftwire/{{ $key }} }
      {{- end }}
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities: { drop: [ALL] }
    resources: {{ toYaml .resources | nindent 6 }}
    {{- if .served }}
    ports:
      - { name: http, containerPort: 8080 }
    startupProbe:
      httpGet: { path: /health/live, port: http }
      periodSeconds: 2
      failureThreshold: 90
    readinessProbe:
      httpGet: { path: /health/ready, port: http }
      periodSeconds: 2
      timeoutSeconds: 5
      failureThreshold: 2
    livenessProbe:
      httpGet: { path: /health/live, port: http }
      periodSeconds: 10
      timeoutSeconds: 5
      failureThreshold: 6
    {{- end }}
    volumeMounts:
      - { name: secrets, mountPath: /run/secrets/giftwire, readOnly: true }
      - { name: data, mountPath: /data }
      - { name: tmp, mountPath: /tmp }
      {{- if $backups }}
      - { name: backups, mountPath: /backups }
      {{- end }}
volumes:
  - name: secrets
    secret:
      secretName: {{ .secretName | default $values.secret.name }}
      defaultMode: 0440
      items:
        {{- range $name, $key := $values.secret.keys }}
        - { key: {{ $key }}, path: {{ $key }} }
        {{- end }}
  - { name: data, emptyDir: {} }
  - { name: tmp, emptyDir: {} }
  {{- if $backups }}
  - { name: backups, persistentVolumeClaim: { claimName: {{ $backups }} } }
  {{- end }}
{{- end }}
