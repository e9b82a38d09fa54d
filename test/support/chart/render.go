// Renders the chart as `helm template` does: Go's templates with the functions of sprig, and the few that Helm adds.
// go run render.go <chart> <values.yaml> <release>; prints the manifests.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

type values = map[string]interface{}

func main() {
	chart, given, release := os.Args[1], os.Args[2], os.Args[3]
	about := read(filepath.Join(chart, "Chart.yaml"))
	context := values{
		"Values":  merge(read(filepath.Join(chart, "values.yaml")), read(given)),
		"Chart":   values{"Name": about["name"], "AppVersion": about["appVersion"], "Version": about["version"]},
		"Release": values{"Name": release, "Service": "Helm", "Namespace": "default"},
	}

	all := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	functions["include"] = func(name string, with interface{}) (string, error) {
		var text bytes.Buffer
		err := all.ExecuteTemplate(&text, name, with)
		return text.String(), err
	}
	functions["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, errors.New(message)
		}
		return value, nil
	}
	functions["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	all.Funcs(functions)

	files, _ := filepath.Glob(filepath.Join(chart, "templates", "*"))
	sort.Strings(files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		stopAt(err)
		template.Must(all.New(filepath.Base(file)).Parse(string(text)))
	}
	for _, file := range files {
		if !strings.HasSuffix(file, ".yaml") {
			continue
		}
		var text bytes.Buffer
		stopAt(all.ExecuteTemplate(&text, filepath.Base(file), context))
		if strings.TrimSpace(text.String()) != "" {
			fmt.Printf("---\n%s\n", strings.TrimPrefix(strings.TrimSpace(text.String()), "---\n"))
		}
	}
}

func read(file string) values {
	text, err := os.ReadFile(file)
	stopAt(err)
	found := values{}
	stopAt(yaml.Unmarshal(text, &found))
	return found
}

func merge(base, over values) values {
	for key, value := range over {
		below, isMap := value.(values)
		if under, both := base[key].(values); isMap && both {
			base[key] = merge(under, below)
		} else {
			base[key] = value
		}
	}
	return base
}

func stopAt(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
