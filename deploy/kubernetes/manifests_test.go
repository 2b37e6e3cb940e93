package kubernetes

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	"sigs.k8s.io/yaml"
)

// manifests are the decoded manifests.
type manifests struct {
	set      apps.StatefulSet
	budget   policy.PodDisruptionBudget
	services []core.Service
}

// load decodes all files. Unknown fields and wrong types are errors.
func load(t *testing.T) (m manifests) {
	t.Helper()
	strict := func(text []byte, to any) {
		t.Helper()
		if err := yaml.UnmarshalStrict(text, to); err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
	}
	var list struct {
		APIVersion, Kind, Namespace string
		Resources                   []string
		Images                      []struct{ Name, NewName, NewTag string }
	}
	text, err := os.ReadFile("kustomization.yaml")
	if err != nil {
		t.Fatal(err)
	}
	strict(text, &list)
	files, err := filepath.Glob("*.yaml")
	if err != nil || len(files) != len(list.Resources)+1 {
		t.Errorf("the files %q are not the resources %q: %v", files, list.Resources, err)
	}
	for _, file := range list.Resources {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, document := range bytes.Split(text, []byte("\n---\n")) {
			var kind struct{ Kind string }
			if err := yaml.Unmarshal(document, &kind); err != nil {
				t.Fatal(err)
			}
			switch kind.Kind {
			case "StatefulSet":
				strict(document, &m.set)
			case "PodDisruptionBudget":
				strict(document, &m.budget)
			case "Service":
				var s core.Service
				strict(document, &s)
				m.services = append(m.services, s)
			default:
				t.Errorf("%s has the unknown kind %q", file, kind.Kind)
			}
		}
	}
	return m
}

func TestManifests(t *testing.T) {
	m := load(t)
	pod := m.set.Spec.Template
	if m.set.APIVersion != "apps/v1" || *m.set.Spec.Replicas != 3 || len(pod.Spec.Containers) != 1 {
		t.Fatalf("the set is %s with %d replicas of %d containers", m.set.APIVersion, *m.set.Spec.Replicas, len(pod.Spec.Containers))
	}
	for what, selector := range map[string]map[string]string{
		"set": m.set.Spec.Selector.MatchLabels, "budget": m.budget.Spec.Selector.MatchLabels,
		"first service": m.services[0].Spec.Selector, "second service": m.services[1].Spec.Selector,
	} {
		for name, value := range selector {
			if pod.Labels[name] != value {
				t.Errorf("the %s selects %s=%s, but pods have %q", what, name, value, pod.Labels[name])
			}
		}
		if len(selector) == 0 {
			t.Errorf("the %s selects everything", what)
		}
	}
	if m.budget.Spec.MaxUnavailable.IntValue() != 1 {
		t.Errorf("%v pods may be unavailable", m.budget.Spec.MaxUnavailable)
	}
	if !slices.ContainsFunc(m.services, func(s core.Service) bool { return s.Name == m.set.Spec.ServiceName }) {
		t.Errorf("there is no service %s", m.set.Spec.ServiceName)
	}
	checkContainer(t, pod.Spec)
	checkPorts(t, m)
}

// checkContainer checks the probes, the drain and the rights of the nodes.
func checkContainer(t *testing.T, pod core.PodSpec) {
	t.Helper()
	c := pod.Containers[0]
	if c.ReadinessProbe.HTTPGet.Path != "/healthz" || c.StartupProbe.HTTPGet.Path != "/healthz" || c.LivenessProbe.HTTPGet.Path != "/healthz" {
		t.Error("a probe has a wrong path")
	}
	const drain = 30 // seconds, the server's default
	if least := c.Lifecycle.PreStop.Sleep.Seconds + drain; *pod.TerminationGracePeriodSeconds <= least {
		t.Errorf("pods have %d seconds to end, and need more than %d", *pod.TerminationGracePeriodSeconds, least)
	}
	if *pod.SecurityContext.RunAsUser != 65532 || !*pod.SecurityContext.RunAsNonRoot || *c.SecurityContext.AllowPrivilegeEscalation || !*c.SecurityContext.ReadOnlyRootFilesystem {
		t.Error("nodes have more rights than they need")
	}
	for _, name := range []string{"BROADSIDE_STORE", "BROADSIDE_METRICS_LISTEN", "PGPASSWORD"} {
		if !slices.ContainsFunc(c.Env, func(e core.EnvVar) bool { return e.Name == name }) {
			t.Errorf("%s is not set", name)
		}
	}
}

// checkPorts checks that services and probes use ports of the container.
func checkPorts(t *testing.T, m manifests) {
	t.Helper()
	c := m.set.Spec.Template.Spec.Containers[0]
	used := []string{c.ReadinessProbe.HTTPGet.Port.String(), c.StartupProbe.HTTPGet.Port.String(), c.LivenessProbe.HTTPGet.Port.String()}
	for _, s := range m.services {
		for _, p := range s.Spec.Ports {
			used = append(used, p.TargetPort.String())
		}
	}
	for _, name := range used {
		if !slices.ContainsFunc(c.Ports, func(p core.ContainerPort) bool { return p.Name == name }) {
			t.Errorf("the container has no port %s", name)
		}
	}
}

// TestOtherFiles checks the syntax of the YAML files that only other services read.
func TestOtherFiles(t *testing.T) {
	for _, pattern := range []string{"../compose/*.yaml", "../../.github/*.yml", "../../.github/workflows/*.yml", "../../.github/ISSUE_TEMPLATE/*.yml"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %q, %v", pattern, files, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var content map[string]any
			if err := yaml.UnmarshalStrict(text, &content); err != nil || len(content) == 0 {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
}
