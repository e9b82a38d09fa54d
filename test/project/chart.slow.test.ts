import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as prometheus from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor';
import { Ajv } from 'ajv';
import * as apps from 'kubernetes-models/apps/v1';
import * as autoscaling from 'kubernetes-models/autoscaling/v2';
import * as batch from 'kubernetes-models/batch/v1';
import * as networking from 'kubernetes-models/networking.k8s.io/v1';
import * as policy from 'kubernetes-models/policy/v1';
import * as core from 'kubernetes-models/v1';
import { parse, parseAllDocuments } from 'yaml';
import { settings } from '../../src/ground/config/config.ts';
import { ChartError, cannotRender, compile, renderChart, renderManifests } from '../support/chart/render.ts';
import { projectDir } from '../support/process.ts';

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels: Record<string, string> };
  spec: Record<string, unknown>;
}

interface Pod {
  containers: {
    image: string;
    env: { name: string; value: string }[];
    readinessProbe?: { httpGet: { path: string } };
    volumeMounts: { name: string; mountPath: string }[];
  }[];
  volumes: { name: string; secret?: { secretName: string }; persistentVolumeClaim?: { claimName: string } }[];
}

const modules = {
  'kubernetes-models/apps/v1': apps,
  'kubernetes-models/autoscaling/v2': autoscaling,
  'kubernetes-models/batch/v1': batch,
  'kubernetes-models/networking.k8s.io/v1': networking,
  'kubernetes-models/policy/v1': policy,
  'kubernetes-models/v1': core,
  '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor': prometheus,
};

const read = (file: string) => readFileSync(join(projectDir, file), 'utf8');
const skip = cannotRender();
const needed = { image: { repository: 'registry.example.com/giftwire' }, publicUrl: 'https://gifts.example.com' };
const everything = {
  ...needed,
  image: { ...needed.image, digest: `sha256:${'0'.repeat(64)}`, pullSecrets: [{ name: 'registry' }] },
  settings: { GIFTWIRE_MAIL_FROM: 'gifts@example.com', GIFTWIRE_PROCESSES: 2 },
  secret: { keys: { GIFTWIRE_SMTP_URL: 'smtp-url' } },
  backups: { claimName: 'gift-backups' },
  migration: { secretName: 'giftwire-owner' },
  ingress: { enabled: true, className: 'nginx', tlsSecretName: 'gifts' },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  nodeSelector: { disk: 'ssd' },
  tolerations: [{ key: 'gifts', operator: 'Exists' }],
};
/** Kubernetes reads octal numbers as YAML 1.1 does. */
const manifestsOf = (text: string): Manifest[] =>
  parseAllDocuments(text, { version: '1.1' }).map((document) => document.toJS() as Manifest);

test("the chart has the project's version", () => {
  const { version } = JSON.parse(read('package.json'));
  const chart = parse(read('deploy/chart/Chart.yaml')) as { version: string; appVersion: string };
  assert.deepEqual([chart.version, chart.appVersion], [version, version]);
});

test('the values of the chart fit their schema, and a mistyped value does not', () => {
  const valid = new Ajv({ allowUnionTypes: true }).compile(JSON.parse(read('deploy/chart/values.schema.json')));
  const defaults = parse(read('deploy/chart/values.yaml')) as object;
  assert.ok(valid({ ...defaults, ...needed }), JSON.stringify(valid.errors));
  assert.ok(valid({ ...defaults, ...everything, secret: defaults['secret' as never] }), JSON.stringify(valid.errors));
  assert.ok(valid({ ...defaults, ...parse(read('deploy/kubernetes.values.yaml')) }), JSON.stringify(valid.errors));
  for (const wrong of [
    { publicURL: 'https://gifts.example.com' },
    { publicUrl: 'gifts.example.com' },
    { settings: { MAIL_FROM: 'gifts@example.com' } },
    { api: { replica: 2 } },
    { backups: { claim: 'gift-backups' } },
    { secret: { name: 'giftwire', keys: { DATABASE_URL: 'database-url' } } },
  ])
    assert.ok(!valid({ ...defaults, ...needed, ...wrong }), JSON.stringify(wrong));
});

for (const [name, values] of Object.entries({ 'as few values as possible': needed, 'every value': everything }))
  test(`with ${name}, every manifest is what Kubernetes expects, and has no field that it does not know`, {
    skip,
  }, () => {
    const manifests = manifestsOf(renderChart(values));
    const source = manifests
      .map((manifest, nth) => {
        const [path, exported] = moduleOf(manifest);
        new exported(manifest).validate();
        return `import { type I${manifest.kind} as Kind${nth} } from '${path}';
export const manifest${nth}: Kind${nth} = ${JSON.stringify(manifest)};`;
      })
      .join('\n');
    assert.equal(compile(source), '', source);
    assert.match(compile(source.replace('"spec":{', '"spec":{"replica":2,')), /replica/);
  });

test('without an image or a public URL, the chart says what to set', { skip }, () => {
  const messageOf = (values: object) => {
    try {
      return renderChart(values);
    } catch (error) {
      assert.ok(error instanceof ChartError);
      return error.message;
    }
  };
  assert.match(messageOf({ publicUrl: needed.publicUrl }), /Set image\.repository to the image that you have built/);
  assert.match(messageOf({ image: needed.image }), /Set publicUrl to the URL that recipients and users open/);
});

test('pods read secrets from files, every setting is one that the service knows, and the image is pinned', {
  skip,
}, () => {
  const manifests = manifestsOf(renderChart(everything));
  const pods = manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'Job');
  assert.deepEqual(
    pods.map(({ metadata }) => metadata.name.replace(/-\d.*/, '')),
    ['giftwire-api', 'giftwire-worker', 'giftwire-migrate'],
  );
  const known = settings.map((setting) => setting.name as string);
  for (const manifest of pods) {
    const { containers, volumes } = podOf(manifest);
    const [container] = containers;
    assert.ok(container);
    assert.equal(container.image, `registry.example.com/giftwire@sha256:${'0'.repeat(64)}`);
    for (const { name } of container.env) assert.ok(known.includes(name.replace(/_FILE$/, '')), name);
    const files = container.env.filter(({ name }) => name.endsWith('_FILE')).map(({ name }) => name);
    assert.deepEqual(files.sort(), ['DATABASE_URL_FILE', 'GIFTWIRE_SMTP_URL_FILE', 'GIFTWIRE_TOKEN_KEY_FILE']);
    const owner = manifest.kind === 'Job' ? 'giftwire-owner' : 'giftwire';
    assert.ok(volumes.some(({ secret }) => secret?.secretName === owner));
    assert.equal(container.readinessProbe?.httpGet.path, manifest.kind === 'Job' ? undefined : '/health/ready');
  }
});

test('workers, and no other pods, write nightly backups to the claim that is named', { skip }, () => {
  const folders = (values: object) =>
    manifestsOf(renderChart(values))
      .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
      .map(podOf)
      .map(({ containers: [container], volumes }) => {
        const folder = container?.env.find(({ name }) => name === 'GIFTWIRE_BACKUP_FOLDER')?.value;
        const mount = container?.volumeMounts.find(({ mountPath }) => mountPath === folder);
        return volumes.find(({ name }) => name === mount?.name)?.persistentVolumeClaim?.claimName;
      });
  assert.deepEqual(folders(everything), [undefined, 'gift-backups', undefined]);
  assert.deepEqual(folders(needed), [undefined, undefined, undefined]);
});

test('visitors reach every operation and page, but neither metrics nor health', { skip }, () => {
  const ingress = manifestsOf(renderChart(everything)).find(({ kind }) => kind === 'Ingress');
  assert.ok(ingress);
  const [rule] = ingress.spec.rules as { host: string; http: { paths: { path: string; pathType: string }[] } }[];
  assert.ok(rule);
  assert.equal(rule.host, 'gifts.example.com');
  const reaches = (wanted: string) =>
    rule.http.paths.some(({ path, pathType }) =>
      pathType === 'Exact' ? wanted === path : wanted === path || wanted.startsWith(`${path}/`),
    );
  const operations = Object.keys((JSON.parse(read('openapi.json')) as { paths: object }).paths);
  assert.ok(operations.length > 100);
  const pages = [
    '/',
    '/sign-in',
    '/w/1/gifts',
    '/console/icon.svg',
    '/g/token',
    '/session/link',
    '/docs',
    '/openapi.json',
  ];
  for (const path of [...operations, ...pages]) assert.ok(reaches(path), path);
  for (const path of ['/metrics', '/health', '/health/ready']) assert.ok(!reaches(path), path);
});

test('every selector finds the pods that it is for', { skip }, () => {
  const manifests = manifestsOf(renderChart(everything));
  const labels = new Map(
    manifests
      .filter(({ kind }) => kind === 'Deployment')
      .map((one) => [one.metadata.name, (one.spec as { template: Manifest }).template.metadata.labels]),
  );
  const finds = (selector: Record<string, string>) =>
    [...labels]
      .filter(([, has]) => Object.entries(selector).every(([key, value]) => has[key] === value))
      .map(([name]) => name);
  for (const { kind, metadata, spec } of manifests) {
    const found = spec as {
      selector?: { matchLabels?: Record<string, string> };
      podSelector?: { matchLabels: Record<string, string> };
    };
    const selector = found.podSelector?.matchLabels ?? found.selector?.matchLabels ?? found.selector;
    if (!selector || kind === 'ServiceMonitor') continue;
    assert.deepEqual(finds(selector as Record<string, string>), [metadata.name], `${kind} ${metadata.name}`);
  }
  const services = manifests.filter(({ kind }) => kind === 'Service');
  const monitor = manifests.find(({ kind }) => kind === 'ServiceMonitor');
  assert.ok(monitor);
  const { matchLabels } = (monitor.spec as { selector: { matchLabels: Record<string, string> } }).selector;
  assert.equal(services.length, 2);
  for (const { metadata } of services)
    for (const [key, value] of Object.entries(matchLabels)) assert.equal(metadata.labels[key], value);
});

test('deploy/kubernetes.yaml is what the chart gives', { skip }, () => {
  assert.equal(read('deploy/kubernetes.yaml'), renderManifests(), 'Run: npm run chart');
});

type Model = new (data: never) => { validate(): void };

function moduleOf({ apiVersion, kind }: Manifest): [string, new (data: Manifest) => { validate(): void }] {
  for (const [path, exported] of Object.entries(modules)) {
    const model = (exported as unknown as Record<string, Model & { apiVersion?: string }>)[kind];
    if (model?.apiVersion === apiVersion) return [path, model as never];
  }
  throw new Error(`There is no schema for ${kind} of ${apiVersion}.`);
}

function podOf({ spec }: Manifest): Pod {
  return (spec as { template: { spec: Pod } }).template.spec;
}
